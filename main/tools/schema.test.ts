import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSchema } from '../../e2e/support/strictSchema.ts';
import type { JsonObject } from '../../shared/tools.ts';
import { ArgumentDecoder } from './arguments.ts';
import { convertSchema } from './schema.ts';

function decode(inputSchema: JsonObject, input: JsonObject) {
  return new ArgumentDecoder(convertSchema(inputSchema)).decode(input);
}

describe('alternatives at the root', () => {
  const branches = [
    { properties: { url: { type: 'string' } }, required: ['url'] },
    { properties: { path: { type: 'string' } }, required: ['path'] },
    { properties: { blob: { type: 'string' }, name: { type: 'string' } }, required: ['blob', 'name'] },
  ];

  it.each<[string, JsonObject]>([
    ['anyOf', { type: 'object', anyOf: branches }],
    ['anyOf without a type', { anyOf: branches }],
    ['oneOf', { type: 'object', oneOf: branches }],
    [
      'references',
      {
        anyOf: branches.map((_, at) => ({ $ref: `#/$defs/b${at}` })),
        $defs: { b0: branches[0], b1: branches[1], b2: branches[2] },
      },
    ],
  ])('become one plain object, told in words: %s', (_how, schema) => {
    const { forModel, alternatives } = convertSchema(schema);
    expect(checkSchema(forModel, 'schema')).toBeUndefined();
    expect(Object.keys(forModel.properties as object).sort()).toEqual(['blob', 'name', 'path', 'url']);
    expect(forModel.required ?? []).toEqual([]);
    expect(alternatives.join()).toMatch(/url.*path.*blob, name/);
  });

  it('still decide what may be called', () => {
    const schema = { type: 'object', anyOf: branches };
    expect(decode(schema, {})).toMatchObject({ error: expect.stringMatching(/url.*path.*blob, name/) });
    expect(decode(schema, { path: 'a' })).toEqual({ args: { path: 'a' } });
  });

  it('that only say what is required keep the properties beside them', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      anyOf: [{ required: ['id'] }, { required: ['name'] }],
    };
    const { forModel } = convertSchema(schema);
    expect(forModel).toMatchObject({ type: 'object', properties: schema.properties });
    expect(decode(schema, {})).toHaveProperty('error');
    expect(decode(schema, { name: 'x' })).toEqual({ args: { name: 'x' } });
  });

  it('that all hold are joined', () => {
    const allOf = [
      { properties: { a: { type: 'string' } }, required: ['a'] },
      { properties: { b: { type: 'number' } }, required: ['b'] },
    ];
    const { forModel } = convertSchema({ type: 'object', allOf });
    expect(forModel).toMatchObject({
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a', 'b'],
    });
    expect(checkSchema(forModel, 'schema')).toBeUndefined();
  });
});

describe('property names that the LLM API refuses', () => {
  const schema = {
    type: 'object',
    properties: {
      'StartTime<': { type: 'string' },
      'StartTime>': { type: 'string' },
      'uids[]': { type: 'array', items: { type: 'string' } },
      $filter: { type: 'string', description: 'OData' },
      取引先: { type: 'string' },
      nested: { type: 'object', properties: { 'a b': { type: 'number' } }, required: ['a b'] },
    },
    required: ['uids[]', '取引先'],
  };

  it('get legal, distinct and stable aliases that say the true name', () => {
    const { forModel, aliases } = convertSchema(schema);
    expect(checkSchema(forModel, 'schema')).toBeUndefined();
    expect(convertSchema(schema).forModel).toEqual(forModel);
    expect(aliases.size).toBe(6);
    expect(forModel.required).toHaveLength(2);
    expect(Object.keys(forModel.properties as object)).toEqual(
      expect.arrayContaining(forModel.required as string[]),
    );
    expect(JSON.stringify(forModel)).toContain('OData (the property \\"$filter\\")');
  });

  it('are turned back at every depth before the call', () => {
    const { aliases } = convertSchema(schema);
    const alias = (name: string) => [...aliases].find(([, original]) => original === name)?.[0] as string;
    const input = {
      [alias('StartTime<')]: '1',
      [alias('uids[]')]: ['u'],
      [alias('取引先')]: 'x',
      nested: { [alias('a b')]: 4 },
    };
    expect(decode(schema, input)).toEqual({
      args: { 'StartTime<': '1', 'uids[]': ['u'], 取引先: 'x', nested: { 'a b': 4 } },
    });
  });
});

describe('lazy, old and broken schemas', () => {
  it.each<[string, JsonObject]>([
    ['only a dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }],
    ['only a type', { type: 'object' }],
    ['nothing', {}],
    ['no type', { properties: { x: { type: 'integer' } }, required: ['x'] }],
  ])('%s becomes an object with properties', (_what, schema) => {
    const { forModel, unusable } = convertSchema(schema);
    expect(unusable).toBeUndefined();
    expect(forModel).toMatchObject({ type: 'object', properties: expect.any(Object) });
    expect(checkSchema(forModel, 'schema')).toBeUndefined();
  });

  it('repairs draft-04 bounds under a 2020-12 label', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        n: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      },
    };
    expect(convertSchema(schema).forModel.properties).toEqual({
      n: { type: 'number', exclusiveMinimum: 0, maximum: 9 },
    });
    expect(decode(schema, { n: 0 })).toHaveProperty('error');
    expect(decode(schema, { n: 0.1 })).toEqual({ args: { n: 0.1 } });
  });

  it('repairs draft-07 tuples and definitions', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        between: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
        who: { $ref: '#/definitions/W' },
      },
      definitions: { W: { type: 'string' } },
    };
    const { forModel } = convertSchema(schema);
    expect(checkSchema(forModel, 'schema')).toBeUndefined();
    expect(forModel).toMatchObject({
      properties: { who: { $ref: '#/$defs/W' } },
      $defs: { W: { type: 'string' } },
    });
    expect(decode(schema, { between: [1, 2, 3] })).toHaveProperty('error');
    expect(decode(schema, { between: [1, 2], who: 'me' })).toEqual({ args: { between: [1, 2], who: 'me' } });
  });

  it('keeps a schema that refers to itself finite', () => {
    const schema = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/Node' }, again: { $ref: '#' } },
      $defs: {
        Node: {
          type: 'object',
          properties: { label: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/Node' } } },
        },
      },
    };
    const { forModel } = convertSchema(schema);
    expect(checkSchema(forModel, 'schema')).toBeUndefined();
    const four = {
      label: 'a',
      kids: [{ label: 'b', kids: [{ label: 'c', kids: [{ label: 'd', kids: [] }] }] }],
    };
    expect(decode(schema, { root: four })).toEqual({ args: { root: four } });
    expect(decode(schema, { again: { again: { root: four } } })).toHaveProperty('args');
    expect(decode(schema, { again: { again: { root: { kids: 'none' } } } })).toHaveProperty('error');
  });

  it('lets a dangling reference be anything, and says so', () => {
    const schema = { type: 'object', properties: { s: { $ref: '#/$defs/Gone' }, t: { type: 'string' } } };
    const { forModel, notes } = convertSchema(schema);
    expect(forModel.properties).toEqual({ s: {}, t: { type: 'string' } });
    expect(notes.join()).toContain('#/$defs/Gone');
    expect(checkSchema(forModel, 'schema')).toBeUndefined();
  });

  it('follows no reference into the network: that tool cannot be used', () => {
    const schema = { type: 'object', properties: { u: { $ref: 'http://127.0.0.1:9/s.json' } } };
    expect(convertSchema(schema).unusable).toContain('http://127.0.0.1:9/s.json');
  });

  it.each(['https://example.com/my-dialect', 'https://json-schema.org/draft/next/schema'])(
    'says of a dialect that it does not know that it does not: %s',
    $schema => {
      expect(convertSchema({ $schema, type: 'object' }).unusable).toContain($schema);
    },
  );

  it.each([
    'http://json-schema.org/draft-04/schema#',
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema#',
    'http://json-schema.org/schema#',
  ])('knows %s', $schema => {
    expect(convertSchema({ $schema, type: 'object' }).unusable).toBeUndefined();
  });

  it('refuses what is too deep or no object', () => {
    let deep: JsonObject = { type: 'string' };
    for (let level = 0; level < 200; level++) deep = { type: 'object', properties: { x: deep } };
    expect(convertSchema(deep).unusable).toBeDefined();
    expect(convertSchema({ type: 'string' }).unusable).toBeDefined();
  });

  it('makes of any schema one that the LLM API accepts, always the same', () => {
    const key = fc.constantFrom(
      'type',
      'properties',
      'items',
      'anyOf',
      'oneOf',
      'allOf',
      'required',
      '$ref',
      'enum',
      'minimum',
      'exclusiveMinimum',
      'additionalProperties',
      'definitions',
      '$defs',
      'default',
      'pattern',
      'nullable',
      'const',
      'a b',
      'description',
      'not',
    );
    const value = fc.letrec(tie => ({
      any: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(
          'object',
          'string',
          'array',
          ['string', 'null'],
          '#/$defs/x',
          '#',
          'http://x/y',
          'a(',
          true,
          false,
          0,
          -1,
          null,
        ),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(key, tie('any'), { maxKeys: 5 }),
      ),
    })).any;
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 6 }), schema => {
        const { forModel, unusable } = convertSchema(schema);
        expect(JSON.stringify(convertSchema(schema).forModel)).toBe(JSON.stringify(forModel));
        if (unusable === undefined) expect(checkSchema(forModel, 'schema')).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('nulls and spellings', () => {
  const schema = {
    type: 'object',
    properties: {
      priority: { type: ['string', 'null'], enum: ['low', 'high', null], description: 'filter' },
      parent: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      limit: { type: 'integer' },
      tag: { type: 'string', nullable: true },
      must: { type: 'string' },
    },
    required: ['priority', 'must'],
  };

  it('keep the allowed values and the description', () => {
    const { forModel } = convertSchema(schema);
    expect(forModel.properties).toMatchObject({
      priority: { type: ['string', 'null'], enum: ['low', 'high', null], description: 'filter' },
    });
    expect(checkSchema(forModel, 'schema')).toBeUndefined();
  });

  it('leave null where it may be and drop it where it may not', () => {
    const input = { priority: null, parent: null, limit: null, tag: null, must: 'x' };
    expect(decode(schema, input)).toEqual({ args: { priority: null, parent: null, tag: null, must: 'x' } });
  });

  it('never drop a required null: the model is told', () => {
    expect(decode(schema, { priority: 'low', must: null })).toMatchObject({
      error: expect.stringContaining('must'),
    });
  });

  it('read numbers, booleans and JSON that came as text', () => {
    const typed = {
      type: 'object',
      properties: {
        n: { type: 'number' },
        b: { type: 'boolean' },
        list: { type: 'array', items: { type: 'integer' } },
        s: { type: 'string' },
      },
    };
    expect(decode(typed, { n: '5', b: 'true', list: '[1,"2"]', s: '5' })).toEqual({
      args: { n: 5, b: true, list: [1, 2], s: '5' },
    });
    expect(decode(typed, { n: 'five' })).toMatchObject({
      error: expect.stringContaining('n must be number'),
    });
  });
});
