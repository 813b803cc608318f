/**
 * A question with fields, from its schema to the answer that is sent. Free of any user interface, so that the window
 * and the terminal ask alike.
 */
import { toRfc3339 } from './dateTime.ts';
import type { Field, FieldOption } from './elicitationSchema.ts';
import { checkChoices, checkFormat, checkJson, checkNumber, checkText, missing } from './fieldChecks.ts';
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
    case 'text-format':
      return checkText(field, value.trim());
    default:
      return checkText(field, value);
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
      return typeof value === 'string' && !checkFormat(field.constraints, undefined, value) ? value : '';
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
      return JSON.parse(value);
    case 'text-format':
      // Nobody means the space around a date or an address.
      return field.constraints.format === 'date-time' ? toRfc3339(value.trim()) : value.trim();
    default:
      return value;
  }
}

function optionOf(field: Field, key: string): FieldOption | undefined {
  return field.options.find(one => one.key === key);
}

function isEmpty(value: FieldValue): value is undefined | '' | [] {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** "None of these" is an answer to a required list, unless it says how many it wants. */
function mustBeFilled(field: Field): boolean {
  return field.required && (field.kind !== 'multiselect' || (field.constraints.minItems ?? 0) > 0);
}
