/**
 * A question with fields, from its schema to the answer that is sent. Free of any user interface, so that the window
 * and the terminal ask alike.
 */
import { localDateTime, toRfc3339 } from './dateTime.ts';
import type { Field, FieldConstraints, FieldKind, FieldOption, TextFormat } from './elicitationSchema.ts';
import { matchesPattern } from './pattern.ts';
import type { JsonObject } from './tools.ts';

export { type Field, parseFields } from './elicitationSchema.ts';

/**
 * What a person edits. Numbers, dates and JSON are text until they are sent; a choice is the `key` of its option;
 * a boolean is undefined while it is not answered.
 */
export type FieldValue = string | boolean | string[] | undefined;
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** What the fields hold at first: what is `known` already, else the defaults; what does not fit is left empty. */
export function initialValues(fields: readonly Field[], known: JsonObject = {}): FieldValues {
  return Object.fromEntries(
    fields.map(field => {
      const value = Object.hasOwn(known, field.name) ? known[field.name] : field.default;
      return [field.name, toDraft(field, value)];
    }),
  );
}

/** What is wrong with a value, in words for the person; undefined when it can be sent. */
export function validateField(field: Field, value: FieldValue): string | undefined {
  if (isEmpty(value)) return mustBeFilled(field) ? missing[field.kind] : undefined;
  if (Array.isArray(value)) return checkChoices(field, value);
  if (typeof value === 'boolean') return undefined;
  switch (field.kind) {
    case 'number':
    case 'integer':
      return checkNumber(field, value);
    case 'select':
      return optionOf(field, value) ? undefined : 'Choose one of the listed answers.';
    case 'unsupported':
      return checkJson(value);
    default:
      return checkText(field.constraints, value);
  }
}

/** The messages of all fields that have one, by name. */
export function validateAll(fields: readonly Field[], values: FieldValues): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.flatMap(field => {
      const message = validateField(field, valueIn(values, field.name));
      return message === undefined ? [] : [[field.name, message]];
    }),
  );
}

/** What is sent, with the right JSON types; empty fields are left out. Call it with valid values only. */
export function toContent(fields: readonly Field[], values: FieldValues): JsonObject {
  return Object.fromEntries(
    fields.flatMap(field => {
      const value = valueIn(values, field.name);
      if (!isEmpty(value)) return [[field.name, toJson(field, value)]];
      return field.required && field.kind === 'multiselect' ? [[field.name, []]] : [];
    }),
  );
}

/** One field's value; a name such as `constructor` finds nothing that is not there. */
export function valueIn(values: FieldValues, name: string): FieldValue {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Does this field seem to ask for a password or key? A form is no place for those (client/elicitation, Security). */
export function asksForSecret(field: Field): boolean {
  if (field.kind !== 'string' && field.kind !== 'unsupported') return false;
  // camelCase and snake_case names become words.
  const words = `${field.name} ${field.title} ${field.description ?? ''}`
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ');
  return /\b(password|passwd|passphrase|passcode|pwd|pin|pin code|secret|token|api ?keys?|private key|access key|credentials?|cvc|cvv|card number|one time code|otp|seed phrase)\b/i.test(
    words,
  );
}

// From JSON to what a person edits, and back

function toDraft(field: Field, value: unknown): FieldValue {
  switch (field.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'multiselect': {
      const keys = Array.isArray(value) ? value.map(one => JSON.stringify(one) ?? '') : [];
      return field.options.map(one => one.key).filter(key => keys.includes(key));
    }
    case 'select':
      return field.options.find(one => one.key === JSON.stringify(value))?.key ?? '';
    case 'number':
    case 'integer':
      return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
    case 'unsupported':
      return value === undefined ? '' : (JSON.stringify(value, null, 2) ?? '');
    case 'text-format':
      // A date that is none would be in the field without being seen there.
      return typeof value === 'string' && !checkFormat(field.constraints.format, value) ? value : '';
    default:
      return typeof value === 'string' ? value : '';
  }
}

function toJson(field: Field, value: string | boolean | string[]): unknown {
  if (Array.isArray(value)) return value.flatMap(key => optionOf(field, key)?.value ?? []);
  if (typeof value === 'boolean') return value;
  switch (field.kind) {
    case 'number':
    case 'integer':
      return Number(value);
    case 'select':
      return optionOf(field, value)?.value;
    case 'unsupported':
      return parseJson(value).value;
    case 'text-format':
      return field.constraints.format === 'date-time' ? toRfc3339(value) : value;
    default:
      return value;
  }
}

function optionOf(field: Field, key: string): FieldOption | undefined {
  return field.options.find(one => one.key === key);
}

// Checks

const missing: Record<FieldKind, string> = {
  string: 'Please fill this in.',
  'text-format': 'Please fill this in.',
  number: 'Please enter a number.',
  integer: 'Please enter a whole number.',
  boolean: 'Please choose Yes or No.',
  select: 'Please choose an answer.',
  multiselect: 'Please choose at least one answer.',
  unsupported: 'Please fill this in.',
};

function isEmpty(value: FieldValue): value is undefined | '' | [] {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** "None of these" is an answer to a required list, unless it says how many it wants. */
function mustBeFilled(field: Field): boolean {
  return field.required && (field.kind !== 'multiselect' || (field.constraints.minItems ?? 0) > 0);
}

function checkText(constraints: FieldConstraints, value: string): string | undefined {
  const { minLength, maxLength, pattern, format } = constraints;
  // JSON Schema counts characters, not UTF-16 units.
  const length = [...value].length;
  if (minLength !== undefined && length < minLength)
    return `Enter at least ${counted(minLength, 'character')}; this has ${length}.`;
  if (maxLength !== undefined && length > maxLength)
    return `Enter at most ${counted(maxLength, 'character')}; this has ${length}.`;
  const wrongFormat = checkFormat(format, value);
  if (wrongFormat) return wrongFormat;
  if (pattern !== undefined && matchesPattern(pattern, value) === false)
    return `This must match the pattern ${pattern}`;
  return undefined;
}

function checkFormat(format: TextFormat | undefined, value: string): string | undefined {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(value)
        ? undefined
        : 'Enter an e-mail address, like name@example.com.';
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && URL.canParse(value)
        ? undefined
        : 'Enter a whole address, like https://example.com.';
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(value) && localDateTime(`${value}T00:00`) !== undefined
        ? undefined
        : 'Enter a date, like 2026-07-28.';
    case 'date-time':
      return localDateTime(value) !== undefined
        ? undefined
        : 'Enter a date and a time, like 2026-07-28T09:30.';
    default:
      return undefined;
  }
}

function checkNumber(field: Field, value: string): string | undefined {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number))
    return /^\s*-?\d+,\d+\s*$/.test(value) ? 'Write decimals with a point, like 1.5.' : missing[field.kind];
  if (field.kind === 'integer' && !Number.isInteger(number)) return 'Enter a whole number, without decimals.';
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    return 'This number is too large to be sent exactly.';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field.constraints;
  if (minimum !== undefined && number < minimum)
    return maximum === undefined
      ? `Enter ${minimum} or more.`
      : `Enter a number from ${minimum} to ${maximum}.`;
  if (maximum !== undefined && number > maximum)
    return minimum === undefined
      ? `Enter ${maximum} or less.`
      : `Enter a number from ${minimum} to ${maximum}.`;
  if (exclusiveMinimum !== undefined && number <= exclusiveMinimum)
    return `Enter a number above ${exclusiveMinimum}.`;
  if (exclusiveMaximum !== undefined && number >= exclusiveMaximum)
    return `Enter a number below ${exclusiveMaximum}.`;
  if (multipleOf !== undefined && multipleOf > 0 && !isMultiple(number, multipleOf))
    return `Enter a multiple of ${multipleOf}.`;
  return undefined;
}

/** 0.3 is a multiple of 0.1, although their binary quotient is not whole. */
function isMultiple(number: number, of: number): boolean {
  const quotient = number / of;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

function checkChoices(field: Field, keys: string[]): string | undefined {
  const { minItems, maxItems } = field.constraints;
  if (minItems !== undefined && keys.length < minItems) return `Choose at least ${minItems}.`;
  if (maxItems !== undefined && keys.length > maxItems) return `Choose at most ${maxItems}.`;
  return keys.every(key => optionOf(field, key)) ? undefined : 'Choose from the listed answers only.';
}

function checkJson(value: string): string | undefined {
  const { error } = parseJson(value);
  return error === undefined ? undefined : `This is not valid JSON: ${error}`;
}

function parseJson(value: string): { value?: unknown; error?: string } {
  try {
    return { value: JSON.parse(value) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
