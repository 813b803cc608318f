// The official conformance suite, with Parley's host and a person who agrees to everything as the client under test.
import path from 'node:path';
import { ensureNode } from '../setup/newerNode.mjs';
import { inRoot } from '../setup/paths.mjs';
import { mustRun, run } from '../setup/run.mjs';
import { SetupError } from '../setup/say.mjs';

const REVISIONS = ['2026-07-28', '2025-11-25'];
const SUITE = inRoot('node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** What the suite runs beside its requirements, and why it need not pass. @type {Record<string, string>} */
const notDemanded = {
  'json-schema-2020-12-preservation': 'wants one tool’s schema typed as the argument of another',
};

/** One after the other would take twice as long; more at once than processors would test the machine's patience. */
const AT_ONCE = 2;
/** Milliseconds for one scenario on a busy machine. */
const TIMEOUT = 60_000;

/**
 * @typedef {{ name: string, revision: string }} Scenario
 * @typedef {Scenario & { passed: boolean, seconds: number, output: string }} Outcome
 */

/**
 * Runs every client scenario of both revisions, or those whose name contains `only`, and prints a table.
 * @param {string} [only]
 * @returns {Promise<import('./counts.mjs').Counts>}
 */
export async function runConformance(only = '') {
  const node = await ensureNode(22);
  // The packages may have been installed by this very process.
  const { buildPrograms } = await import('./program.mjs');
  const client = await buildPrograms('e2e/conformance/person.ts');
  try {
    const scenarios = (await Promise.all(REVISIONS.map(revision => listScenarios(node, revision))))
      .flat()
      .filter(({ name }) => name.includes(only));
    const outcomes = await runAll(scenarios, scenario => runScenario(node, client.dir, scenario));
    print(outcomes);
    const failed = outcomes.filter(({ passed, name }) => !passed && !(name in notDemanded));
    for (const { name, revision, output } of failed) console.log(`\n--- ${name} (${revision})\n${output}`);
    const passed = outcomes.filter(outcome => outcome.passed).length;
    return { passed, failed: failed.length, skipped: outcomes.length - passed - failed.length };
  } finally {
    client.remove();
  }
}

/**
 * The client scenarios that the suite runs for a revision, the required ones and those that it does not score.
 * @param {string} node
 * @param {string} revision
 * @returns {Promise<Scenario[]>}
 */
async function listScenarios(node, revision) {
  const output = await mustRun(node, [SUITE, 'list', '--client', '--requirements', revision], {
    output: 'capture',
    hint: 'Is @modelcontextprotocol/conformance installed?',
  });
  const [, required = '', optional = ''] =
    /^Client scenarios[^\n]*\n([\s\S]*?)\n\nRun and reported[^\n]*\n([\s\S]*)$/m.exec(output) ?? [];
  const names = [
    ...[...required.matchAll(/^ {2}- (\S+)$/gm)].map(match => match[1]),
    ...[...optional.matchAll(/^ {4}- (\S+) \[client\]$/gm)].map(match => match[1]),
  ];
  if (names.length < 2) throw new SetupError(`The suite lists no scenarios for ${revision}.`, output);
  return names.map(name => ({ name: String(name), revision }));
}

/**
 * @param {Scenario[]} scenarios
 * @param {(scenario: Scenario) => Promise<Outcome>} work
 * @returns {Promise<Outcome[]>} in the order of the scenarios
 */
async function runAll(scenarios, work) {
  const waiting = [...scenarios.entries()];
  /** @type {Outcome[]} */
  const outcomes = [];
  const takeTurns = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) outcomes[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  return outcomes;
}

/**
 * @param {string} node
 * @param {string} dir where the client is
 * @param {Scenario} scenario
 * @returns {Promise<Outcome>}
 */
async function runScenario(node, dir, { name, revision }) {
  const began = performance.now();
  const own = path.dirname(process.execPath);
  const { code, output } = await run(
    node,
    [
      ...[SUITE, 'client', '--command', 'node person.js', '--scenario', name],
      ...['--spec-version', revision, '--force', '--timeout', String(TIMEOUT)],
    ],
    {
      output: 'capture',
      cwd: dir,
      env: { ...process.env, PATH: `${own}${path.delimiter}${process.env.PATH}` },
    },
  );
  return { name, revision, passed: code === 0, seconds: (performance.now() - began) / 1000, output };
}

/** @param {Outcome[]} outcomes */
function print(outcomes) {
  const names = [...new Set(outcomes.map(({ name }) => name))];
  const width = Math.max(...names.map(name => name.length));
  console.log(`\n${'scenario'.padEnd(width)}  ${REVISIONS.join('  ')}`);
  for (const name of names) {
    const cells = REVISIONS.map(revision => {
      const outcome = outcomes.find(one => one.name === name && one.revision === revision);
      return (outcome ? (outcome.passed ? 'passed' : 'FAILED') : '').padEnd(10);
    });
    const why = notDemanded[name] ? `  not demanded: ${notDemanded[name]}` : '';
    console.log(`${name.padEnd(width)}  ${cells.join('  ')}${why}`.trimEnd());
  }
}
