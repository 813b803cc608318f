import { describe, expect, it } from 'vitest';
import type { JsonObject, ToolInfo } from '../../shared/tools.ts';
import { readArguments } from './guideArguments.ts';

function tool(name: string, properties: JsonObject, required: string[] = Object.keys(properties)): ToolInfo {
  const inputSchema = { type: 'object', properties, required };
  return { server: 's', name, modelName: name, inputSchema, enabled: true, rule: 'ask', notes: [] };
}
const number = { type: 'number' };
const string = { type: 'string' };

describe('arguments read from what was typed', () => {
  const add = tool('add', { a: number, b: number });
  it.each<[string, JsonObject]>([
    ['add 19 and 23', { a: 19, b: 23 }],
    ['what is 19 + 23?', { a: 19, b: 23 }],
    ['19+23', { a: 19, b: 23 }],
    ['add -1.5 to 1,234.25', { a: -1.5, b: 1234.25 }],
    ['add b=2 a=1', { a: 1, b: 2 }],
    ['add {"a": 1, "b": 2}', { a: 1, b: 2 }],
  ])('%s', (typed, values) => {
    expect(readArguments(typed, add)).toEqual({ values, missing: [], unread: [] });
  });

  it.each<[string, JsonObject]>([
    ['list the files in /tmp/some dir', { path: '/tmp/some' }],
    ['list ~/notes.', { path: '~/notes' }],
    ['list C:\\Users\\ann, please', { path: 'C:\\Users\\ann' }],
    ['list "/tmp/some dir"', { path: '/tmp/some dir' }],
    ['list notes', { path: 'notes' }],
  ])('%s: a path', (typed, values) => {
    expect(readArguments(typed, tool('list_directory', { path: string })).values).toEqual(values);
  });

  it('are asked for where only idle words are left', () => {
    const time = tool('time-in', { zone: string });
    expect(readArguments('what time is it now, please?', time)).toMatchObject({
      values: {},
      missing: ['zone'],
    });
    expect(readArguments('what time is it in Europe/Vienna', time).values).toEqual({ zone: 'Europe/Vienna' });
  });

  it('are not taken for all when a number found no place', () => {
    expect(readArguments('add 4, 5 and 6', add)).toEqual({
      values: { a: 4, b: 5 },
      missing: [],
      unread: ['6'],
    });
    expect(readArguments('echo 4 5', tool('echo', { message: string })).unread).toEqual([]);
    const note = tool('note', { text: string, count: number });
    expect(readArguments('note buy 2 apples and 3 pears', note)).toEqual({
      values: { text: 'buy  apples and 3 pears', count: 2 },
      missing: [],
      unread: [],
    });
    expect(readArguments('repeat hi 3', tool('repeat', { message: string, times: number })).unread).toEqual(
      [],
    );
  });

  it('are not guessed', () => {
    expect(readArguments('add 19', add)).toEqual({ values: { a: 19 }, missing: ['b'], unread: [] });
    expect(readArguments('add 1.5', tool('add', { n: { type: 'integer' } }))).toEqual({
      values: {},
      missing: ['n'],
      unread: ['1.5'],
    });
  });

  it.each<[string, string | undefined]>([
    ['echo hello', 'hello'],
    ['please echo hello there, 42 times!', 'hello there, 42 times!'],
    ['echo the cat sat on the mat', 'the cat sat on the mat'],
    ['echo: "  quoted \\"text\\" "', '  quoted "text" '],
    ['say “Grüß Gott”', 'Grüß Gott'],
    ['echo', undefined],
  ])('%s: the rest of the text for the only text', (typed, message) => {
    const { values } = readArguments(typed, tool('echo', { message: string }));
    expect(values.message).toBe(message);
  });

  it('take each kind from where it stands', () => {
    const mail = tool('send_mail', {
      to: { type: 'string', format: 'email' },
      link: { type: 'string', format: 'uri' },
      when: { type: 'string', format: 'date' },
      at: { type: ['string', 'null'], format: 'date-time' },
      priority: { enum: ['low', 'very high'] },
      colour: { oneOf: [{ const: '#f00', title: 'Red' }] },
      urgent: { type: 'boolean' },
      subject: string,
      body: string,
      sizes: { type: 'array', items: { type: 'integer' } },
    });
    const typed =
      'send mail to ann@example.com about https://example.com/a?b=1. on 2027-01-31 at 2027-02-01T09:30:00Z, ' +
      'very high, red, yes, "Hi" and "Long text", sizes 3 4 5';
    expect(readArguments(typed, mail)).toEqual({
      values: {
        to: 'ann@example.com',
        link: 'https://example.com/a?b=1',
        when: '2027-01-31',
        at: '2027-02-01T09:30:00Z',
        priority: 'very high',
        colour: '#f00',
        urgent: true,
        subject: 'Hi',
        body: 'Long text',
        sizes: [3, 4, 5],
      },
      missing: [],
      unread: [],
    });
  });

  it('fill what is required before what is not, and take defaults only for what is required', () => {
    const schema = { first: { ...number, default: 7 }, second: number, third: { ...number, default: 9 } };
    expect(readArguments('go 1', tool('go', schema, ['second', 'third']))).toEqual({
      values: { second: 1, third: 9 },
      missing: [],
      unread: [],
    });
  });

  it('survive schemas that are none', () => {
    for (const properties of [
      null,
      [],
      { a: null },
      { a: true },
      { a: { $ref: '#/$defs/none' } },
      { a: { enum: 1 } },
    ])
      expect(readArguments('x 1', tool('x', properties as JsonObject, ['a']))).toBeDefined();
  });

  it('follow a local reference and ignore null beside a type', () => {
    const info = tool('x', { n: { $ref: '#/$defs/N' } });
    info.inputSchema.$defs = { N: { anyOf: [{ type: 'null' }, { type: 'integer' }] } };
    expect(readArguments('x 5', info).values).toEqual({ n: 5 });
  });

  it('cannot change an object’s prototype', () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}}') as JsonObject;
    const { values } = readArguments('x "evil"', tool('x', properties, ['__proto__']));
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
    expect(Object.entries(values)).toEqual([['__proto__', 'evil']]);
  });
});
