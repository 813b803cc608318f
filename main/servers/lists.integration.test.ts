import { describe, expect, it, vi } from 'vitest';
import { rawEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { sendJson, startRawHttp } from '../../e2e/support/rawHttp.ts';

const never = new AbortController().signal;
const tool = (name: string, extra: object = {}) => ({ name, inputSchema: { type: 'object' }, ...extra });

/** A manager with one raw server `odd` whose `tools/list` answers that; `eras` says how it was asked. */
async function startOdd(list: unknown, env: Record<string, string> = {}) {
  const reply = {
    jsonrpc: '2.0',
    id: '$id',
    result: { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...(list as object) },
  };
  const bench = await startManager({
    odd: rawEntry({ REPLIES: JSON.stringify({ 'tools/list': reply }), ...env }),
  });
  await reaches(bench.manager, 'odd', 'ready');
  const names = () => bench.manager.connection('odd')?.tools.map(({ name }) => name);
  return { ...bench, names };
}

describe.each([
  ['legacy', {}],
  ['modern', { ERA: 'modern' }],
])('the list of a %s server', (era, env) => {
  it('is read past every bad item, and the bad ones are told', async () => {
    const tools = [
      tool('first'),
      { name: 'bare' },
      { name: '' },
      'text',
      null,
      tool('odd annotations', { annotations: [] }),
      tool('odd output', { outputSchema: 'not a schema', title: 7 }),
      tool('first', { description: 'the second of that name' }),
      tool('last'),
    ];
    const { names, view, manager } = await startOdd({ tools }, env);
    expect(view('odd')?.era).toBe(era);
    expect(names()).toEqual(['first', 'bare', 'odd annotations', 'odd output', 'last']);
    expect(view('odd')?.notes.join('\n')).toMatch(/without a name[\s\S]*“first” is listed more than once/);
    expect(manager.connection('odd')?.tools[1]).toMatchObject({
      inputSchema: { type: 'object' },
      problem: expect.any(String),
    });
    for (const name of names() ?? [])
      expect((await manager.connection('odd')?.callTool(name, {}, { signal: never }))?.content).toHaveLength(
        1,
      );
  });

  it('that repeats its cursor is read to the repetition, and that is told', async () => {
    const { names, view } = await startOdd({ tools: [tool('a')], nextCursor: 'again' }, env);
    expect(names()).toEqual(['a']);
    expect(view('odd')?.notes.join()).toContain('tools/list repeats itself');
  });

  it('that fails leaves the server usable, with a note', async () => {
    const error = { jsonrpc: '2.0', id: '$id', error: { code: -32603, message: 'no tools today' } };
    const resources = [{ uri: 'file:///a', name: 'a' }];
    const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', resources };
    const REPLIES = JSON.stringify({
      'tools/list': error,
      'resources/list': { jsonrpc: '2.0', id: '$id', result },
    });
    const { manager, view } = await startManager({ half: rawEntry({ REPLIES, ...env }) });
    await reaches(manager, 'half', 'ready');
    expect(view('half')).toMatchObject({ era, counts: { tools: 0, resources: 1 } });
    expect(view('half')?.notes.join()).toMatch(/tools\/list failed: .*no tools today/);
  });
});

describe('a long list', () => {
  it('is read to the last of its pages', async () => {
    const { url, count } = await startPaged(page => (page < 12 ? String(page + 1) : undefined));
    const { manager, view } = await startManager({ paged: { url } });
    await reaches(manager, 'paged', 'ready');
    expect(manager.connection('paged')?.tools).toHaveLength(13);
    expect(view('paged')?.notes).toEqual([]);
    expect(count('tools/list')).toBe(13);
  });

  it('without an end is cut, and that is told', async () => {
    const { url, count } = await startPaged(page => String(page + 1));
    const { manager, view } = await startManager({ endless: { url } });
    await reaches(manager, 'endless', 'ready');
    expect(view('endless')?.notes.join()).toMatch(/more than 64 pages/);
    expect(count('tools/list')).toBe(64);
  });
});

describe('a legacy list that changes', () => {
  it('is read again, several changes at once only once, and the new tool can be called', async () => {
    const env = { TOOLS: JSON.stringify([tool('grow')]), LOG: '1' };
    const { manager, view } = await startManager({ growing: rawEntry(env) });
    await reaches(manager, 'growing', 'ready');
    const connection = manager.connection('growing');
    await Promise.all([1, 2, 3].map(() => connection?.callTool('grow', {}, { signal: never })));
    await vi.waitFor(() => expect(view('growing')?.counts.tools).toBe(4), 10_000);
    expect((await connection?.callTool('grown3', {}, { signal: never }))?.content).toHaveLength(1);
    const lists = manager.log('growing').filter(line => line.includes('"tools/list"'));
    expect(lists.length).toBeLessThanOrEqual(3);
  });
});

/** A legacy server with one tool a page; `next` gives the cursor that follows a page. */
function startPaged(next: (page: number) => string | undefined) {
  return startRawHttp((message, response) => {
    if (message.method !== 'tools/list') return false;
    const page = Number(message.params?.cursor ?? 0);
    const nextCursor = next(page);
    sendJson(response, {
      id: message.id,
      result: { tools: [tool(`tool${page}`)], ...(nextCursor ? { nextCursor } : {}) },
    });
    return true;
  });
}
