import { describe, expect, it } from 'vitest';
import { rawEntry } from '../../e2e/support/manager.ts';
import { startWithEndpoint } from '../../e2e/support/turns.ts';
import type { JsonObject } from '../../shared/tools.ts';
import { modelNameOf } from './names.ts';

const object = { type: 'object' };

/** Names and schemas that broke other hosts, as a server lists them. */
const odd = [
  {
    name: 'attach',
    inputSchema: {
      anyOf: [
        { properties: { url: { type: 'string' } }, required: ['url'] },
        { properties: { path: { type: 'string' } }, required: ['path'] },
      ],
    },
  },
  {
    name: 'list_calls',
    inputSchema: {
      type: 'object',
      properties: {
        'StartTime<': { type: 'string' },
        'uids[]': { type: 'array', items: { type: 'string' } },
        取引先: { type: 'string' },
        nested: { type: 'object', properties: { 'a b': { type: 'number' } }, required: ['a b'] },
      },
      required: ['uids[]', '取引先'],
    },
  },
  { name: 'lazy', inputSchema: {} },
  { name: 'nothing', inputSchema: null },
  { name: 'none' },
  {
    name: 'old',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        n: { type: 'number', minimum: 0, exclusiveMinimum: true },
        pair: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
      },
    },
  },
  {
    name: 'tree',
    inputSchema: {
      type: 'object',
      properties: { root: { $ref: '#/$defs/Node' } },
      $defs: {
        Node: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/Node' } } } },
      },
    },
  },
  { name: 'dangling', inputSchema: { type: 'object', properties: { s: { $ref: '#/$defs/Gone' } } } },
  {
    name: 'remote',
    inputSchema: { type: 'object', properties: { u: { $ref: 'http://127.0.0.1:9/s.json' } } },
  },
  ...['repo.search', 'files/read', 'Create Volume', 'GET:/patterns/names', '検索', 'x'.repeat(200)].map(
    name => ({
      name,
      inputSchema: object,
    }),
  ),
  { name: 'get-user', inputSchema: object },
  { name: 'get.user', inputSchema: object },
  { name: 'get_user', inputSchema: object },
  { name: 'get_user', inputSchema: object },
  { name: '', inputSchema: object },
];

describe.each(['legacy', 'modern'])('odd tools of a %s server', era => {
  const servers = () => ({
    odd: rawEntry({ ERA: era, LOG: '1', TOOLS: JSON.stringify(odd) }),
    b: rawEntry({ ERA: era, TOOLS: JSON.stringify([{ name: 'get_user', inputSchema: object }]) }),
  });

  it('are all accepted by an endpoint as strict as the real one, and called by their true names', async () => {
    const { endpoint, registry, say, manager } = await startWithEndpoint({
      servers: servers(),
      nameLimit: 64,
    });
    const name = modelNameOf('odd', 'list_calls');
    endpoint.script.push(
      request => {
        const tool = request.tools?.find(candidate => candidate.name === name) as {
          input_schema: JsonObject;
        };
        const properties = Object.keys(tool.input_schema.properties as JsonObject);
        const alias = (start: string) => properties.find(key => key.startsWith(start)) as string;
        const required = tool.input_schema.required as string[];
        const [uids, other] = [alias('uids'), required.find(key => !key.startsWith('uids')) as string];
        return { blocks: [{ type: 'tool_use', id: 't1', name, input: { [uids]: ['u'], [other]: 'x' } }] };
      },
      { blocks: [{ type: 'text', text: 'Done.' }] },
    );
    await say('list the calls');

    expect(endpoint.requests.map(({ violation }) => violation)).toEqual([undefined, undefined]);
    const offered = endpoint.requests[0]?.body.tools?.map(tool => tool.name) ?? [];
    expect(new Set(offered).size).toBe(offered.length);
    expect(offered).toContain(modelNameOf('b', 'get_user'));
    expect(offered).toContain(modelNameOf('odd', 'GET:/patterns/names'));
    expect(offered).not.toContain(modelNameOf('odd', 'remote'));
    const call = manager.log('odd').find(line => line.includes('"tools/call"')) ?? '';
    expect(JSON.parse(call).params).toMatchObject({
      name: 'list_calls',
      arguments: { 'uids[]': ['u'], 取引先: 'x' },
    });
    expect(registry.find('odd', 'remote')?.info.unusable).toContain('http://127.0.0.1:9');
    expect(manager.views()[0]?.notes.join()).toMatch(/without a name/);
  });

  it('that take no arguments are called with none, whatever a model makes of that', async () => {
    const { endpoint, say, manager } = await startWithEndpoint({ servers: servers() });
    const call = (nth: number, tool: string, input: object) => ({
      type: 'tool_use',
      id: `t${nth}`,
      name: modelNameOf('odd', tool),
      input,
    });
    endpoint.script.push(
      { blocks: [call(1, 'lazy', {}), call(2, 'none', {}), call(3, 'old', { n: null, pair: null })] },
      { blocks: [{ type: 'text', text: 'Done.' }] },
    );
    await say('go');
    const calls = manager.log('odd').filter(line => line.includes('"tools/call"'));
    expect(calls.map(line => JSON.parse(line).params.arguments)).toEqual([{}, {}, {}]);
  });

  it('that lack required arguments are answered without a call to the server', async () => {
    const { endpoint, say, manager } = await startWithEndpoint({ servers: servers() });
    endpoint.script.push(
      { blocks: [{ type: 'tool_use', id: 't1', name: modelNameOf('odd', 'attach'), input: {} }] },
      { blocks: [{ type: 'text', text: 'Sorry.' }] },
    );
    await say('attach it');
    const result = JSON.stringify(endpoint.requests[1]?.body.messages.at(-1)?.content);
    expect(result).toMatch(/"is_error":true/);
    expect(result).toMatch(/url.*path/);
    expect(manager.log('odd').join()).not.toContain('"tools/call"');
  });
});
