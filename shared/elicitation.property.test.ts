/** For every schema of the subset: what the form lets through is right, and what is right can be entered. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Field,
  type FieldValue,
  type FieldValues,
  initialValues,
  toContent,
  validateAll,
  validateField,
} from './elicitation.ts';
import { readForm } from './elicitationForm.ts';
import type { JsonObject } from './tools.ts';

/** A property with an answer that is right, and something that may be typed into its field. */
interface Sample {
  property: JsonObject;
  right: unknown;
  typed: FieldValue;
}

const maybe = <T extends JsonObject>(more: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(more, { requiredKeys: [] });

/** `typed`: anything, or what is near to right. */
const sample = (
  properties: fc.Arbitrary<JsonObject>,
  rightOf: (property: JsonObject) => fc.Arbitrary<unknown>,
  typed: fc.Arbitrary<FieldValue> = fc.oneof(fc.string(), fc.constant('')),
): fc.Arbitrary<Sample> =>
  properties.chain(property =>
    fc.record({
      property: fc.constant(property),
      right: rightOf(property),
      typed: fc.oneof(
        typed,
        rightOf(property).map(value =>
          Array.isArray(value) ? value.map(one => JSON.stringify(one)) : (value as FieldValue),
        ),
        rightOf(property).map(value => ` ${String(value)} `),
      ),
    }),
  );

const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });

const texts = sample(
  fc
    .tuple(fc.nat(6), fc.nat(8))
    .chain(([minLength, more]) =>
      maybe({ minLength: fc.constant(minLength), maxLength: fc.constant(minLength + more + 1) }),
    )
    .map(limits => ({ type: 'string', ...limits })),
  ({ minLength, maxLength }) =>
    fc.string({
      unit: 'binary',
      minLength: Math.max(Number(minLength ?? 1), 1),
      maxLength: Number(maxLength ?? Number(minLength ?? 1) + 5),
    }),
  anyText,
);

const patterns = sample(
  fc
    .constantFrom('^[A-Z]{2}\\d{1,4}$', '^\\p{L}+$', '^(red|green)$', '[0-9]', '^\\S+@\\S+$')
    .map(pattern => ({ type: 'string', pattern })),
  ({ pattern }) => fc.stringMatching(new RegExp(String(pattern), 'u'), { maxLength: 12 }),
);

const days = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map(date => date.toISOString());
const moments = fc
  .tuple(days, fc.constantFrom('', '.5', '.123456'), fc.constantFrom('Z', 'z', '+02:00', '-03:30', '+23:59'))
  .map(([day, fraction, zone]) => `${day.slice(0, 19)}${fraction}${zone}`);
const formats = sample(
  fc.constantFrom('email', 'uri', 'date', 'date-time').map(format => ({ type: 'string', format })),
  ({ format }) => {
    if (format === 'email') return fc.emailAddress();
    if (format === 'uri') return fc.webUrl({ withQueryParameters: true, withFragments: true });
    return format === 'date' ? days.map(day => day.slice(0, 10)) : moments;
  },
  fc.oneof(
    fc.string(),
    days.map(day => day.slice(0, 16)),
    days.map(day => day.slice(0, 19).replace('T', ' ')),
    moments.map(moment => moment.replace(/:\d\d(?=[Z.z+-]).*?(?=[Zz+-])/, '')),
    moments.map(moment => moment.replace(/:(\d\d)$/, '$1')),
  ),
);

const numbers = sample(
  fc
    .record({
      type: fc.constantFrom('number', 'integer'),
      from: fc.integer({ min: -1000, max: 1000 }),
      width: fc.integer({ min: 5, max: 1000 }),
      isOpen: fc.boolean(),
      // Steps that are whole in binary too: others divide as people do, and not as this reference.
      step: fc.constantFrom(undefined, undefined, 1, 2, 5, 0.5, 0.25),
    })
    .chain(({ type, from, width, isOpen, step }) =>
      maybe({
        [isOpen ? 'exclusiveMinimum' : 'minimum']: fc.constant(from),
        [isOpen ? 'exclusiveMaximum' : 'maximum']: fc.constant(from + width * 10),
        ...(step === undefined ? {} : { multipleOf: fc.constant(step) }),
      }).map(limits => ({ type, ...limits })),
    ),
  ({ type, multipleOf, ...limits }) => {
    const min = Number(limits.minimum ?? limits.exclusiveMinimum ?? -1e6);
    const max = Number(limits.maximum ?? limits.exclusiveMaximum ?? 1e6);
    const step = type === 'integer' ? Math.max(Number(multipleOf ?? 1), 1) : Number(multipleOf ?? 0);
    if (step > 0)
      return fc
        .integer({ min: Math.floor(min / step) + 1, max: Math.ceil(max / step) - 1 })
        .map(times => times * step);
    return fc
      .double({ min, max, minExcluded: true, maxExcluded: true, noNaN: true })
      .map(value => (Object.is(value, -0) ? 0 : value));
  },
  fc.oneof(
    fc.string(),
    // Beyond 1e21 this reference takes no number for a multiple of anything.
    fc.double({ min: -1e20, max: 1e20, noNaN: true }).map(String),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String),
    fc.integer().map(number => ` ${number}.0`),
    fc.constantFrom('1e3', '.5', '5.', '+7', '0x10', '1,5', '9007199254740993', '1e999', 'Infinity'),
  ),
);

const booleans = sample(fc.constant({ type: 'boolean' }), () => fc.boolean(), fc.constantFrom(true, false));

const words = fc.uniqueArray(fc.string({ maxLength: 6 }), { minLength: 1, maxLength: 12 });
const selects = sample(
  words.chain(values =>
    fc.constantFrom<JsonObject>(
      { type: 'string', enum: values },
      { type: 'string', enum: values, enumNames: values.map(value => `The ${value}`) },
      { type: 'string', oneOf: values.map(value => ({ const: value, title: `The ${value}` })) },
    ),
  ),
  ({ enum: values, oneOf }) =>
    fc.constantFrom(...((values ?? (oneOf as { const: string }[]).map(one => one.const)) as string[])),
);
const multiselects = sample(
  fc.tuple(words, fc.nat(2), fc.nat(4)).chain(([values, min, more]) => {
    const minItems = Math.min(min, values.length);
    return fc
      .tuple(
        fc.constantFrom<JsonObject>(
          { type: 'string', enum: values },
          { anyOf: values.map(value => ({ const: value, title: value })) },
        ),
        maybe({ minItems: fc.constant(minItems), maxItems: fc.constant(minItems + more) }),
      )
      .map(([items, limits]) => ({ type: 'array', items, ...limits }));
  }),
  ({ items, minItems, maxItems }) => {
    const { enum: values, anyOf } = items as { enum?: string[]; anyOf?: { const: string }[] };
    const all = values ?? anyOf?.map(one => one.const) ?? [];
    return fc
      .subarray(all, {
        minLength: Number(minItems ?? 0),
        maxLength: Math.min(Number(maxItems ?? all.length), all.length),
      })
      .map(chosen => [...chosen]);
  },
  fc.array(
    fc.string({ maxLength: 6 }).map(value => JSON.stringify(value)),
    { maxLength: 4 },
  ),
);

const samples = fc.oneof(texts, patterns, formats, numbers, booleans, selects, multiselects);

/** A whole question: its schema, an answer that is right, and what somebody typed. */
const questions = fc
  .uniqueArray(
    fc.record({
      name: fc.oneof(fc.string(), fc.constantFrom('constructor', 'toString', 'a.b/c~d', '')),
      sample: samples,
      required: fc.boolean(),
      isAnswered: fc.boolean(),
      hasDefault: fc.boolean(),
      title: fc.option(fc.string(), { nil: undefined }),
    }),
    { selector: ({ name }) => name, maxLength: 4 },
  )
  .map(entries => {
    const properties = Object.fromEntries(
      entries.map(({ name, sample: { property, right }, hasDefault, title }) => [
        name,
        {
          ...property,
          ...(hasDefault ? { default: right } : {}),
          ...(title === undefined ? {} : { title, description: title }),
        },
      ]),
    );
    const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0);
    return {
      schema: {
        type: 'object',
        properties,
        required: entries.filter(({ required }) => required).map(({ name }) => name),
      } satisfies JsonObject,
      // An optional answer that holds nothing is no answer.
      right: Object.fromEntries(
        entries
          .filter(
            ({ required, isAnswered, sample: { right } }) => required || (isAnswered && !isEmpty(right)),
          )
          .map(({ name, sample: { right } }) => [name, right]),
      ),
      allRight: Object.fromEntries(entries.map(({ name, sample: { right } }) => [name, right])),
      typed: Object.fromEntries(entries.map(({ name, sample: { typed } }) => [name, typed])),
    };
  });

/** An independent judge: the validator that servers use, as it comes, but blind to what every object inherits. */
const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });
addFormats.default(ajv);

function accepts(schema: JsonObject, content: unknown): { ok: boolean; why: string } {
  const ok = ajv.validate(schema, content);
  return { ok, why: ajv.errorsText() };
}

/** Every field as when nothing was entered. */
function emptied(fields: readonly Field[]): FieldValues {
  return Object.fromEntries(
    fields.map(({ name, kind }) => [name, kind === 'multiselect' ? [] : kind === 'boolean' ? undefined : '']),
  );
}

const RUNS = 400;

describe('for every form of the subset', () => {
  it('whatever is let through fits the schema', () => {
    let passed = 0;
    fc.assert(
      fc.property(questions, ({ schema, typed, allRight }) => {
        const { fields, problem } = readForm(schema);
        expect(problem).toBeUndefined();
        const fallback = initialValues(fields, allRight);
        // What is typed where the form lets it through; else what is right, so that the other fields are judged too.
        const values = Object.fromEntries(
          fields.map(field => {
            const value = typed[field.name];
            const ok = isFor(field, value) && validateField(field, value) === undefined;
            if (ok) passed++;
            return [field.name, ok ? value : fallback[field.name]];
          }),
        );
        if (Object.keys(validateAll(fields, values)).length > 0) return;
        const content = toContent(fields, values);
        const { ok, why } = accepts(schema, content);
        expect(ok, `${why}: ${JSON.stringify(content)}`).toBe(true);
      }),
      { numRuns: RUNS },
    );
    expect(passed).toBeGreaterThan(RUNS / 2);
  }, 60_000);

  it('whatever fits the schema can be entered, and is sent as it is', () => {
    fc.assert(
      fc.property(questions, ({ schema, right }) => {
        fc.pre(accepts(schema, right).ok);
        const { fields } = readForm(schema);
        const entered = initialValues(fields, right);
        const values = Object.fromEntries(
          fields.map(({ name }) => [
            name,
            Object.hasOwn(right, name) ? entered[name] : emptied(fields)[name],
          ]),
        );
        // A required text must hold something, also where the schema does not say so.
        const isBlank = fields.some(
          ({ name, required }) => required && right[name] === '' && values[name] === '',
        );
        fc.pre(!isBlank);
        expect(validateAll(fields, values)).toEqual({});
        expect(toContent(fields, values)).toEqual(right);
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  it('the defaults are in the fields, and nothing else is', () => {
    fc.assert(
      fc.property(questions, ({ schema }) => {
        const { fields } = readForm(schema);
        const { properties } = schema;
        const defaults = Object.fromEntries(
          Object.entries(properties).flatMap(([name, property]) =>
            'default' in property ? [[name, property.default]] : [],
          ),
        );
        const values = initialValues(fields);
        for (const field of fields) {
          const isFilled = !isSame(values[field.name], emptied(fields)[field.name]);
          const given: unknown = defaults[field.name];
          const holdsSomething =
            given !== undefined && given !== '' && !(Array.isArray(given) && given.length === 0);
          if (!Object.hasOwn(defaults, field.name)) expect(isFilled).toBe(false);
          else if (field.kind === 'select') expect(isFilled).toBe(true);
          else expect(isFilled).toBe(holdsSomething);
        }
      }),
      { numRuns: RUNS },
    );
  }, 60_000);
});

/** Could the control of this field hold such a value at all? */
function isFor({ kind }: Field, value: FieldValue): boolean {
  if (kind === 'multiselect') return Array.isArray(value);
  return typeof value === (kind === 'boolean' ? 'boolean' : 'string');
}

function isSame(a: FieldValue, b: FieldValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
