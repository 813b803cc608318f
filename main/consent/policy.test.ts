import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../database.ts';
import type { ToolIdentity } from './identity.ts';
import { Policy } from './policy.ts';

const tool: ToolIdentity = {
  server: 's',
  tool: 't',
  description: 'adds',
  inputSchema: { type: 'object', properties: { a: {} } },
};
const reader: ToolIdentity = { ...tool, tool: 'reader', annotations: { readOnlyHint: true } };
const definition = ({ description, inputSchema, annotations }: ToolIdentity) => ({
  description,
  inputSchema,
  ...(annotations ? { annotations } : {}),
});

function newPolicy() {
  return new Policy(openDatabase(':memory:'));
}

/** Every part of a definition, changed. */
const changes: [string, ToolIdentity][] = [
  ['description', { ...tool, description: 'deletes' }],
  ['schema', { ...tool, inputSchema: { type: 'object', properties: { a: {}, b: {} } } }],
  ['annotations', { ...tool, annotations: { destructiveHint: true } }],
];

describe('the policy', () => {
  it('asks unless a person said otherwise', () => {
    expect(newPolicy().decide(tool)).toEqual({ rule: 'ask' });
  });

  it('keeps allow and deny, for that tool only, and takes them back', () => {
    const policy = newPolicy();
    policy.set(tool, 'allow', 'approval');
    expect(policy.decide(tool)).toEqual({ rule: 'allow', by: 'tool' });
    expect(policy.decide({ ...tool, tool: 'other' }).rule).toBe('ask');
    expect(policy.decide({ ...tool, server: 'other' }).rule).toBe('ask');
    policy.set(tool, 'deny', 'settings');
    expect(policy.decide(tool).rule).toBe('deny');
    expect(policy.revoke('s', 't')).toBe(true);
    expect(policy.decide(tool)).toEqual({ rule: 'ask' });
    expect(policy.revoke('s', 't')).toBe(false);
  });

  it.each(changes)(
    'asks again when the %s of an allowed tool changed, and knows what it was',
    (_what, now) => {
      const policy = newPolicy();
      policy.set(tool, 'allow', 'approval');
      expect(policy.decide(now)).toEqual({ rule: 'ask', changed: { before: definition(tool) } });
      policy.set(now, 'allow', 'approval');
      expect(policy.decide(now)).toEqual({ rule: 'allow', by: 'tool' });
      policy.set(tool, 'deny', 'approval');
      expect(policy.decide(now)).toEqual({ rule: 'deny', by: 'tool' });
    },
  );

  it('does not mind the order in which a server writes its keys', () => {
    const policy = newPolicy();
    policy.set(tool, 'allow', 'approval');
    expect(policy.decide({ ...tool, inputSchema: { properties: { a: {} }, type: 'object' } }).rule).toBe(
      'allow',
    );
  });

  it('asks without saying what changed where that was not kept yet', () => {
    const db = openDatabase(':memory:');
    db.prepare(
      `INSERT INTO tool_rules (server, tool, rule, fingerprint, since) VALUES ('s', 't', 'allow', 'old', 1)`,
    ).run();
    const policy = new Policy(db);
    expect(policy.decide(tool)).toEqual({ rule: 'ask', changed: {} });
    expect(policy.list()).toEqual([
      { scope: 'tool', server: 's', tool: 't', rule: 'allow', since: 1, origin: 'settings' },
    ]);
  });

  it('moves with a renamed server and ends with a removed one', () => {
    const policy = newPolicy();
    policy.set(tool, 'allow', 'approval');
    policy.setServer('s', { rule: 'allow', allowReadOnly: false }, 'settings', [reader]);
    policy.renameServer('s', 'new');
    expect(policy.decide({ ...tool, server: 'new' }).rule).toBe('allow');
    expect(policy.decide({ ...reader, server: 'new' }).rule).toBe('allow');
    expect(policy.decide(tool).rule).toBe('ask');
    policy.forgetServer('new');
    expect(policy.decide({ ...tool, server: 'new' }).rule).toBe('ask');
    expect(policy.decide({ ...reader, server: 'new' })).toEqual({ rule: 'ask' });
    expect(policy.list()).toEqual([]);
  });

  it('learns within a second what another Parley on the same data changed', async () => {
    const db = openDatabase(':memory:');
    const [here, there] = [new Policy(db), new Policy(db)];
    expect(here.decide(tool).rule).toBe('ask');
    there.set(tool, 'deny', 'terminal');
    await vi.waitFor(() => expect(here.decide(tool).rule).toBe('deny'), { timeout: 10_000 });
  });

  it('lists every standing answer, where it was given and since when', () => {
    const policy = newPolicy();
    policy.set(tool, 'deny', 'approval');
    policy.setServer('s', { rule: 'ask', allowReadOnly: true }, 'settings', [tool, reader]);
    const since = expect.any(Number);
    expect(policy.list().sort((a, b) => (a.scope < b.scope ? -1 : 1))).toEqual([
      {
        scope: 'server',
        server: 's',
        rule: 'ask',
        allowReadOnly: true,
        since,
        origin: 'settings',
        covers: 2,
      },
      { scope: 'tool', server: 's', tool: 't', rule: 'deny', since, origin: 'approval' },
    ]);
  });
});

describe('the default of a server', () => {
  it('holds for tools without a rule of their own', () => {
    const policy = newPolicy();
    policy.set(tool, 'ask', 'settings');
    policy.setServer('s', { rule: 'deny', allowReadOnly: false }, 'settings', [tool, reader]);
    expect(policy.decide(tool)).toEqual({ rule: 'ask', by: 'tool' });
    expect(policy.decide(reader)).toEqual({ rule: 'deny', by: 'server' });
    expect(policy.decide({ ...reader, tool: 'new' })).toEqual({ rule: 'deny', by: 'server' });
    expect(policy.revokeServer('s')).toBe(true);
    expect(policy.decide(reader)).toEqual({ rule: 'ask' });
  });

  it.each(changes)(
    'allows the tools that it was given for, as they were: not with another %s',
    (_what, now) => {
      const policy = newPolicy();
      policy.setServer('s', { rule: 'allow', allowReadOnly: false }, 'settings', [tool]);
      expect(policy.decide(tool)).toEqual({ rule: 'allow', by: 'server' });
      expect(policy.decide(now)).toEqual({ rule: 'ask', changed: { before: definition(tool) } });
      expect(policy.decide(reader)).toEqual({ rule: 'ask', changed: {} });
    },
  );

  it('never lowers the guard for a claim, unless the person chose that', () => {
    const policy = newPolicy();
    expect(policy.decide(reader)).toEqual({ rule: 'ask' });
    policy.setServer('s', { rule: 'ask', allowReadOnly: true }, 'settings', [tool, reader]);
    expect(policy.decide(reader)).toEqual({ rule: 'allow', by: 'readOnly' });
    expect(policy.decide(tool)).toEqual({ rule: 'ask', by: 'server' });
    // A tool that begins to claim it has changed.
    expect(policy.decide({ ...tool, annotations: { readOnlyHint: true } })).toEqual({
      rule: 'ask',
      changed: { before: definition(tool) },
    });
  });

  it('of asking about everything is none', () => {
    const policy = newPolicy();
    policy.setServer('s', { rule: 'allow', allowReadOnly: false }, 'settings', [tool]);
    policy.setServer('s', { rule: 'ask', allowReadOnly: false }, 'settings', [tool]);
    expect(policy.list()).toEqual([]);
  });
});
