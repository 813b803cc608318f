import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Field,
  initialValues,
  parseFields,
  toContent,
  validateAll,
  validateField,
} from './elicitation.ts';

/** The form of BC-29: all spellings of a choice, and properties outside the rules. */
const trip = {
  type: 'object',
  properties: {
    colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
    size: { type: 'string', enum: ['s', 'm', 'l'], enumNames: ['Small'] },
    plan: {
      type: 'string',
      oneOf: [
        { const: 'p1', title: 'Free' },
        { const: 'p2', title: 'Team' },
      ],
      default: 'p2',
    },
    days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] }, minItems: 1, default: ['tue'] },
    tags: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'a', title: 'Alpha' },
          { const: 'b', title: 'Beta' },
        ],
      },
      maxItems: 1,
    },
    mail: { type: 'string', format: 'email' },
    when: { type: 'string', format: 'date-time' },
    odd: { type: 'string', format: 'iban' },
    n: { type: 'integer', minimum: 1, maximum: 5 },
    addr: { type: 'object', properties: { zip: { type: 'string' } } },
  },
  required: ['colour', 'days'],
};

const field = (property: unknown, required = false): Field => {
  const [only] = parseFields({ properties: { it: property }, required: required ? ['it'] : [] });
  if (!only) throw new Error('no field');
  return only;
};
const key = (value: unknown) => JSON.stringify(value);

describe('the form of BC-29', () => {
  const fields = parseFields(trip);
  const byName = Object.fromEntries(fields.map(one => [one.name, one]));

  it('knows the kind of every field, in the order of the schema', () => {
    expect(fields.map(one => [one.name, one.kind])).toEqual([
      ['colour', 'select'],
      ['size', 'select'],
      ['plan', 'select'],
      ['days', 'multiselect'],
      ['tags', 'multiselect'],
      ['mail', 'text-format'],
      ['when', 'text-format'],
      ['odd', 'string'],
      ['n', 'integer'],
      ['addr', 'unsupported'],
    ]);
  });

  it('shows titles and falls back to values when the list of names is too short', () => {
    expect(byName.colour?.options.map(one => one.title)).toEqual(['Red', 'Green']);
    expect(byName.size?.options.map(one => one.title)).toEqual(['s', 'm', 'l']);
    expect(byName.tags?.options.map(one => one.title)).toEqual(['Alpha', 'Beta']);
  });

  it('fills in the defaults', () => {
    expect(initialValues(fields)).toMatchObject({ colour: '', plan: key('p2'), days: [key('tue')], n: '' });
  });

  it('sends values, not titles, with the right types, and leaves out what is empty', () => {
    const values = {
      ...initialValues(fields),
      colour: key('r'),
      tags: [key('a')],
      n: '4',
      when: '2026-07-28T09:30:00+02:00',
      addr: '{"zip":"1010"}',
    };
    expect(validateAll(fields, values)).toEqual({});
    expect(toContent(fields, values)).toEqual({
      colour: 'r',
      plan: 'p2',
      days: ['tue'],
      tags: ['a'],
      n: 4,
      when: '2026-07-28T09:30:00+02:00',
      addr: { zip: '1010' },
    });
  });

  it('says what is missing or too much', () => {
    expect(
      validateAll(fields, { days: [], tags: [key('a'), key('b')], n: '6', mail: 'x', addr: '{' }),
    ).toEqual({
      colour: 'Please choose an answer.',
      days: 'Please choose at least one answer.',
      tags: 'Choose at most 1.',
      n: 'Enter a number from 1 to 5.',
      mail: 'Enter an e-mail address, like name@example.com.',
      addr: expect.stringMatching(/^This is not valid JSON: /),
    });
  });
});

describe('single fields', () => {
  it.each<[unknown, string, string | undefined]>([
    [{ type: 'string', minLength: 3 }, 'ab', 'Enter at least 3 characters; this has 2.'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'Enter at most 1 character; this has 2.'],
    [{ type: 'string', maxLength: 1 }, '🙂', undefined],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'ab', undefined],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'A', 'This must match the pattern ^[a-z]+$'],
    [{ type: 'string', format: 'uri' }, 'https://example.com/a', undefined],
    [{ type: 'string', format: 'uri' }, 'example.com', 'Enter a whole address, like https://example.com.'],
    [{ type: 'string', format: 'date' }, '2024-02-29', undefined],
    [{ type: 'string', format: 'date' }, '2025-02-29', 'Enter a date, like 2026-07-28.'],
    [{ type: 'string', format: 'date-time' }, '2026-07-28T09:30', undefined],
    [{ type: 'string', format: 'date-time' }, 'soon', 'Enter a date and a time, like 2026-07-28 09:30.'],
    [{ type: 'number' }, '1e3', undefined],
    [{ type: 'number' }, '1,5', 'Write decimals with a point, like 1.5.'],
    [{ type: 'number' }, 'one', 'Please enter a number.'],
    [{ type: 'number' }, 'Infinity', 'Please enter a number.'],
    [{ type: 'integer' }, '1.5', 'Enter a whole number, without decimals.'],
    [{ type: 'integer' }, '9007199254740993', 'This number is too large to be sent exactly.'],
    [{ type: 'number', minimum: 2 }, '1', 'Enter 2 or more.'],
    [{ type: 'number', maximum: 2 }, '3', 'Enter 2 or less.'],
    [{ type: 'number', exclusiveMinimum: 0 }, '0', 'Enter a number above 0.'],
    [{ type: 'number', multipleOf: 0.1 }, '0.3', undefined],
    [{ type: 'number', multipleOf: 5 }, '7', 'Enter a multiple of 5.'],
  ])('%j with %j: %j', (property, value, message) => {
    expect(validateField(field(property), value)).toBe(message);
  });

  it('lets a person say No to a required boolean, but not leave it open', () => {
    const agree = field({ type: 'boolean' }, true);
    expect(validateField(agree, undefined)).toBe('Please choose Yes or No.');
    expect(validateField(agree, false)).toBeUndefined();
    expect(toContent([agree], { it: false })).toEqual({ it: false });
  });

  it('sends an empty list when none of a required choice is meant', () => {
    const days = field({ type: 'array', items: { enum: ['mon'] } }, true);
    expect(validateField(days, [])).toBeUndefined();
    expect(toContent([days], { it: [] })).toEqual({ it: [] });
  });

  it('keeps the type of choices that are no strings', () => {
    const level = field({ enum: [1, '1', null], default: 1 });
    expect(level.options.map(one => one.title)).toEqual(['1', '1', 'null']);
    expect(toContent([level], initialValues([level]))).toEqual({ it: 1 });
    expect(toContent([level], { it: key('1') })).toEqual({ it: '1' });
  });

  it('sends a local date and time with its zone', () => {
    const when = field({ type: 'string', format: 'date-time' });
    const { it: sent } = toContent([when], { it: '2026-07-28T09:30' });
    expect(sent).toMatch(/^2026-07-28T09:30:00[+-]\d\d:\d\d$/);
    expect(new Date(String(sent)).getTime()).toBe(new Date('2026-07-28T09:30').getTime());
  });

  it('leaves a field empty whose default does not fit', () => {
    for (const property of [
      { type: 'number', default: 'many' },
      { type: 'boolean', default: 'yes' },
      { enum: ['a'], default: 'b' },
      { type: 'string', format: 'date', default: 'tomorrow' },
    ]) {
      const only = field(property);
      expect(toContent([only], initialValues([only]))).toEqual({});
    }
  });

  it('prefers what is known to the default', () => {
    const count = field({ type: 'integer', default: 1 });
    expect(initialValues([count], { it: 7 })).toEqual({ it: '7' });
  });
});

describe('schemas of tools', () => {
  it('reads optional arguments that are written as one type or null', () => {
    expect(field({ anyOf: [{ type: 'integer' }, { type: 'null' }], default: null }).kind).toBe('integer');
    expect(field({ type: ['string', 'null'] }).kind).toBe('string');
    expect(field({ type: ['string', 'number'] }).kind).toBe('unsupported');
  });

  it('follows references inside the schema, however they turn', () => {
    const [colour, loop, outside] = parseFields({
      properties: {
        colour: { $ref: '#/$defs/Colour', description: 'Which one' },
        loop: { $ref: '#/properties/loop' },
        outside: { $ref: 'https://example.com/schema.json' },
      },
      $defs: { Colour: { enum: ['red'] } },
    });
    expect(colour).toMatchObject({ kind: 'select', description: 'Which one' });
    expect(loop?.kind).toBe('unsupported');
    expect(outside?.kind).toBe('unsupported');
  });
});

describe('names that mean something to JavaScript', () => {
  it('are names like any other', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string","default":"a"},"constructor":{"type":"string"}},"required":["constructor"]}',
    );
    const fields = parseFields(schema);
    const values = initialValues(fields);
    expect(validateAll(fields, {})).toEqual({ constructor: 'Please fill this in.' });
    expect(JSON.stringify(toContent(fields, { ...values, constructor: 'b' }))).toBe(
      '{"__proto__":"a","constructor":"b"}',
    );
  });
});

describe('any schema', () => {
  const words = fc.constantFrom(
    'type', 'properties', 'enum', 'enumNames', 'oneOf', 'anyOf', 'const', 'items', 'default', 'format',
    'pattern', 'minLength', 'minimum', 'maxItems', 'required', '$ref', '$defs', 'title', '__proto__',
  ); // biome-ignore format: a list of words
  const leaves = fc.oneof(
    fc.constantFrom('object', 'string', 'integer', 'boolean', 'array', 'null', 'date', 'email', '#/properties/a', '(a+)+$', '['),
    fc.jsonValue({ maxDepth: 1 }),
  ); // biome-ignore format: a list of words
  const { node } = fc.letrec(tie => ({
    node: fc.oneof(
      { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
      leaves,
      fc.dictionary(fc.oneof(words, fc.string()), tie('node'), { maxKeys: 6 }),
      fc.array(tie('node'), { maxLength: 4 }),
    ),
  }));
  const schemas = fc.oneof(
    node,
    fc.record({ type: fc.constant('object'), properties: fc.dictionary(fc.string(), node), required: node }),
  );

  it('becomes a form that opens, can be checked and sent', () => {
    fc.assert(
      fc.property(schemas, fc.string(), (schema, typed) => {
        const fields = parseFields(schema);
        const values = initialValues(fields);
        validateAll(fields, values);
        for (const one of fields) validateField(one, typed);
        const content = toContent(
          fields.filter(one => validateField(one, values[one.name]) === undefined),
          values,
        );
        expect(JSON.parse(JSON.stringify(content))).toBeDefined();
        for (const name of Object.keys(content)) expect(fields.some(one => one.name === name)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps an answer that is read back, edited by nobody and sent again', () => {
    const fields = parseFields(trip);
    const answers = fc.record(
      {
        colour: fc.constantFrom('r', 'g'),
        days: fc.constantFrom(['mon'], ['mon', 'tue']),
        tags: fc.constantFrom(['a'], ['b']),
        odd: fc.string({ minLength: 1 }),
        n: fc.integer({ min: 1, max: 5 }),
        addr: fc.dictionary(fc.string(), fc.string()),
      },
      { requiredKeys: ['colour', 'days'] },
    );
    fc.assert(
      fc.property(answers, content => {
        const values = initialValues(fields, content);
        expect(validateAll(fields, values)).toEqual({});
        expect(toContent(fields, values)).toEqual({ plan: 'p2', ...JSON.parse(JSON.stringify(content)) });
      }),
    );
  });
});
