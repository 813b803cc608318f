// @ts-check
// Parley's host beside the bare SDK, other clients, and what no client can beat: calls, fan-out, memory, growth.
// `npm run bench` prints medians; ratios compare within one round-robin run. Nothing here is asserted.
// `node bench/clients.mjs [PATTERN]` runs the parts whose name matches, such as `http`; BENCH_ROUNDS=1 is a first look.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBuilt } from '../scripts/setup/index.mjs';
import { ensureNode } from '../scripts/setup/newerNode.mjs';
import { inRoot } from '../scripts/setup/paths.mjs';
import { median, report, rounded } from './figures.mjs';
import { ensurePeers } from './peers.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const LIGHT = inRoot('bench/servers/light.mjs');
const only = new RegExp(process.argv[2] ?? '');

await ensureBuilt();
await ensurePeers();
const { buildPrograms } = await import('../scripts/testing/program.mjs');
const programs = await buildPrograms(
  'bench/contenders/parley.ts',
  'bench/contenders/sdk.ts',
  'bench/contenders/raw.ts',
);
// The one in the Electron that Parley ships with.
const node = await ensureNode(24);
const { stdout: version } = await promisify(execFile)(node, ['--version']);
console.log(`All of them on Node ${version.trim()}, ${ROUNDS} rounds`);
const temp = mkdtempSync(join(tmpdir(), 'parley-bench-'));

/** Module and environment of each contender. The bare SDK is what the ratios are to. */
const contenders = {
  'bare SDK': { module: join(programs.dir, 'sdk.js'), env: {} },
  Parley: { module: join(programs.dir, 'parley.js'), env: {} },
  '@ai-sdk/mcp 2': { module: inRoot('bench/peers/aiSdk.mjs'), env: {} },
  '@ai-sdk/mcp 1': { module: inRoot('bench/peers/aiSdk.mjs'), env: { AI_SDK_MAJOR: '1' } },
  '@langchain/mcp-adapters': { module: inRoot('bench/peers/langchain.mjs'), env: {} },
  'no client': { module: join(programs.dir, 'raw.js'), env: {} },
};
/** @typedef {keyof typeof contenders} Name */
/** @typedef {Record<string, number>} Sample */
const all = /** @type {Name[]} */ (Object.keys(contenders));

try {
  for (const [name, measure] of Object.entries(parts())) if (only.test(name)) await measure();
} finally {
  programs.remove();
  rmSync(temp, { recursive: true, force: true, maxRetries: 5 });
}

/** @returns {Record<string, () => Promise<void>>} */
function parts() {
  /** @type {Record<string, () => Promise<void>>} */
  const all = {};
  for (const era of ['modern', 'legacy'])
    for (const transport of ['stdio', 'http'])
      all[`calls-${transport}-${era}`] = () => benchCalls(transport, era);
  for (const era of ['modern', 'legacy']) all[`fan-out-${era}`] = () => benchFanOut(era);
  return { ...all, growth: benchGrowth };
}

/** @param {string} transport @param {string} era */
async function benchCalls(transport, era) {
  const server = transport === 'http' ? await startHttp(era) : undefined;
  const servers = { light: server ? { type: 'http', url: server.url } : light(era, 1) };
  const samples = await roundRobin(all, 'calls', servers);
  server?.end();
  const base = samples['bare SDK'];
  report(
    `calls-${transport}-${era}`,
    `Tool calls per second, ${transport}, ${era} server`,
    rows(samples, one => ({
      'one by one': rounded(med(one, 'sequential')),
      '64 at once': rounded(med(one, 'concurrent')),
      'time ÷ bare SDK, one by one': rounded(med(base, 'sequential') / med(one, 'sequential')),
      'calls ÷ bare SDK, 64 at once': rounded(med(one, 'concurrent') / med(base, 'concurrent')),
    })),
  );
}

/** @param {string} era */
async function benchFanOut(era) {
  const servers = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`server-${index}`, light(era, 50)]),
  );
  const samples = await roundRobin(all, 'connect', servers);
  const base = samples['bare SDK'];
  report(
    `fan-out-${era}`,
    `20 ${era} stdio servers with 1,000 tools in all: from start to all tools listed, and what stays in memory`,
    rows(samples, one => ({
      tools: med(one, 'tools'),
      ms: rounded(med(one, 'listedMs')),
      'time ÷ bare SDK': rounded(med(one, 'listedMs') / med(base, 'listedMs')),
      'process, MB': rounded(med(one, 'megabytes')),
      'process ÷ bare SDK': rounded(med(one, 'megabytes') / med(base, 'megabytes')),
      'heap in use, MB': rounded(med(one, 'heap')),
    })),
  );
}

async function benchGrowth() {
  const samples = await roundRobin(['bare SDK', 'Parley'], 'growth', { light: light('modern', 1) }, 3);
  report(
    'growth',
    'Megabytes in use before and after 10,000 calls',
    rows(samples, one => ({ before: rounded(med(one, 'before')), after: rounded(med(one, 'after')) })),
  );
}

/** @param {string} era @param {number} tools */
function light(era, tools) {
  return { command: node, args: [LIGHT, 'stdio', era, String(tools)] };
}

/** @param {string} era */
async function startHttp(era) {
  const child = spawn(node, [LIGHT, 'http', era, '1'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(port).trim()}/mcp`, end: () => child.stdin.end() };
}

/**
 * Every contender once per round, so that a busy moment hits them all.
 * @param {Name[]} names
 * @param {string} work
 * @param {object} servers
 * @param {number} [rounds]
 * @returns {Promise<Record<string, Sample[]>>}
 */
async function roundRobin(names, work, servers, rounds = ROUNDS) {
  const dataDir = mkdtempSync(join(temp, 'data-'));
  /** @type {Record<string, Sample[]>} */
  const samples = Object.fromEntries(names.map(name => [name, []]));
  // One start more than counts: it fills Parley's data directory and the caches of the disk.
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const sample = await sampleOf(name, work, servers, dataDir);
      if (round >= 0 && sample) samples[name]?.push(sample);
    }
  }
  return samples;
}

/** @param {Name} name @param {string} work @param {object} servers @param {string} dataDir */
async function sampleOf(name, work, servers, dataDir) {
  const { module, env } = contenders[name];
  try {
    const { stdout } = await promisify(execFile)(
      node,
      ['--expose-gc', inRoot('bench/child.mjs'), module, work, JSON.stringify(servers)],
      { env: { ...process.env, ...env, PARLEY_BENCH_DATA: dataDir }, timeout: 120_000 },
    );
    return /** @type {Sample} */ (JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  } catch (error) {
    // Such as a client that does not speak the server's revision.
    const said = String(/** @type {Error} */ (error).message)
      .split('\n')
      .slice(1, 6)
      .join(' ');
    console.error(`${name} cannot do this (${work}): ${said.slice(0, 300)}`);
    return undefined;
  }
}

/**
 * @param {Record<string, Sample[]>} samples
 * @param {(samples: Sample[]) => object} figures
 */
function rows(samples, figures) {
  return Object.entries(samples).map(([contender, own]) => ({
    contender,
    ...(own.length > 0 ? figures(own) : { note: 'cannot do this' }),
  }));
}

/** @param {Sample[] | undefined} samples @param {string} figure */
function med(samples, figure) {
  return median((samples ?? []).map(sample => sample[figure] ?? Number.NaN));
}
