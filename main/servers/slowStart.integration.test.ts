import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownServer, referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { bundle } from '../../scripts/testing/bundle.mjs';
import type { JsonObject } from '../../shared/tools.ts';

const never = new AbortController().signal;

let built: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  built = await bundle('sampleServer');
}, 60_000);
afterAll(() => built.remove());

it.each<[era: string, program: () => string, args: string[], tool: string, input: JsonObject]>([
  ['modern', () => join(built.dir, 'sample-server.js'), [], 'add', { a: 19, b: 23 }],
  ['legacy', () => referenceServer('everything'), ['stdio'], 'echo', { message: '42' }],
])(
  'a %s server whose first start outlasts the probe is not misjudged (BC-20)',
  async (era, program, args, tool, input) => {
    const { manager, view, dataDir, db } = await startManager({});
    const slow = [join(dataDir, 'installed'), program(), ...args];
    await manager.add('slow', { type: 'stdio', ...nodeEntry(ownServer('slowStart.mjs'), slow) });
    await reaches(manager, 'slow', 'ready');
    expect(view('slow')?.era).toBe(era);
    const remembered = db.prepare('SELECT json FROM server_eras').all() as { json: string }[];
    expect(remembered.map(({ json }) => JSON.parse(json).kind)).toEqual([era]);
    const result = await manager.connection('slow')?.callTool(tool, input, { signal: never });
    expect(JSON.stringify(result?.content)).toContain('42');
  },
);
