/** The commands about standing answers: `rules`, `rules revoke`, `audit`. They start no server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '../../shared/errors.ts';
import type { StandingRule } from '../../shared/rules.ts';
import { AUDIT_FILE, readAudit } from '../consent/audit.ts';
import { Policy } from '../consent/policy.ts';
import { openDatabase } from '../database.ts';
import type { Output } from './output.ts';
import { exact, printableJson } from './plainText.ts';

export function listRules(dataDir: string, output: Output): number {
  return withPolicy(dataDir, policy => {
    const rules = policy.list();
    const text = rules.length > 0 ? rules.map(inWords).join('\n') : 'None: every call is asked about.';
    output.result({ rules }, text);
    return 0;
  });
}

/** Takes back the rule of a tool, or without one that for the other tools of the server. @throws HostError when there is none */
export function revokeRule(dataDir: string, output: Output, server: string, tool?: string): number {
  return withPolicy(dataDir, policy => {
    const rule = policy
      .list()
      .find(one => one.server === server && (one.scope === 'tool' ? one.tool === tool : tool === undefined));
    if (!rule)
      throw new HostError(
        'cli.rule',
        tool === undefined
          ? `There is no rule for all of “${server}”.`
          : `“${tool}” of “${server}” has no rule.`,
        'parley rules lists what there is.',
      );
    if (rule.scope === 'tool') policy.revoke(server, rule.tool);
    else policy.revokeServer(server);
    output.result({ revoked: rule }, `Revoked: ${inWords(rule)}`);
    return 0;
  });
}

/** Prints the audit log as it is kept: one JSON object per line, oldest first. */
export function printAudit(dataDir: string, output: Output): number {
  const { entries, damaged } = readAudit(join(dataDir, AUDIT_FILE));
  if (damaged > 0) output.note(`${damaged} lines of the log are damaged and left out.`);
  output.result({ entries, damaged }, entries.map(entry => printableJson(entry)).join('\n'));
  return 0;
}

function withPolicy(dataDir: string, work: (policy: Policy) => number): number {
  const file = join(dataDir, 'parley.db');
  // Looking must not be the first start: that one has things to do.
  const db = openDatabase(existsSync(file) ? file : ':memory:');
  try {
    return work(new Policy(db));
  } finally {
    db.close();
  }
}

function inWords(rule: StandingRule): string {
  const what = rule.scope === 'tool' ? exact(rule.tool) : 'all other tools';
  const word = rule.scope === 'server' && rule.rule === 'ask' ? 'read-only' : rule.rule;
  const since = new Date(rule.since).toISOString().slice(0, 16).replace('T', ' ');
  return `${word.padEnd(9)}  ${exact(rule.server)} · ${what}  since ${since} UTC, by ${origins[rule.origin]}`;
}

const origins = { approval: 'an answer', settings: 'the settings', terminal: 'the terminal' };
