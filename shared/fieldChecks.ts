/** What can be wrong with the value of one field, in words for the person. */
import { isDateTime } from './dateTime.ts';
import { isCarriedExactly, isMultipleOf, parseDecimal } from './decimals.ts';
import type { Field, FieldConstraints, FieldKind } from './elicitationSchema.ts';
import { isOfFormat } from './formats.ts';
import { matchesPattern } from './pattern.ts';

/** Said where nothing, or nothing of the right kind, was entered. */
export const missing: Record<FieldKind, string> = {
  string: 'Please fill this in.',
  'text-format': 'Please fill this in.',
  number: 'Please enter a number.',
  integer: 'Please enter a whole number.',
  boolean: 'Please choose Yes or No.',
  select: 'Please choose an answer.',
  multiselect: 'Please choose at least one answer.',
  unsupported: 'Please fill this in.',
};

export function checkText({ constraints, format }: Field, value: string): string | undefined {
  const { minLength, maxLength, pattern } = constraints;
  // JSON Schema counts characters, not UTF-16 units.
  const length = [...value].length;
  if (minLength !== undefined && length < minLength)
    return `Enter at least ${counted(minLength, 'character')}; this has ${length}.`;
  if (maxLength !== undefined && length > maxLength)
    return `Enter at most ${counted(maxLength, 'character')}; this has ${length}.`;
  const wrongFormat = checkFormat(constraints, format, value);
  if (wrongFormat) return wrongFormat;
  if (pattern !== undefined && matchesPattern(pattern, value) === false)
    return `This must match the pattern ${pattern}`;
  return undefined;
}

export function checkFormat(
  constraints: FieldConstraints,
  other: string | undefined,
  value: string,
): string | undefined {
  switch (constraints.format) {
    case 'email':
      return isOfFormat('email', value) === false
        ? 'Enter an e-mail address, like name@example.com.'
        : undefined;
    case 'uri':
      return isOfFormat('uri', value) === false
        ? 'Enter a whole address, like https://example.com.'
        : undefined;
    case 'date':
      return isOfFormat('date', value) ? undefined : 'Enter a date, like 2026-07-28.';
    case 'date-time':
      return isDateTime(value) ? undefined : 'Enter a date and a time, like 2026-07-28 09:30.';
    default:
      return other !== undefined && isOfFormat(other, value) === false
        ? `This must be of the format “${other}”.`
        : undefined;
  }
}

export function checkNumber({ kind, constraints }: Field, text: string): string | undefined {
  const typed = text.trim();
  const number = parseDecimal(typed);
  if (number === undefined)
    return /^-?\d+,\d+$/.test(typed) ? 'Write decimals with a point, like 1.5.' : missing[kind];
  if (kind === 'integer' && !Number.isInteger(number)) return 'Enter a whole number, without decimals.';
  if (!isCarriedExactly(typed, number)) return 'This number is too large to be sent exactly.';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = constraints;
  const isOutside =
    (minimum !== undefined && number < minimum) || (maximum !== undefined && number > maximum);
  if (isOutside && minimum !== undefined && maximum !== undefined)
    return `Enter a number from ${minimum} to ${maximum}.`;
  if (isOutside) return minimum === undefined ? `Enter ${maximum} or less.` : `Enter ${minimum} or more.`;
  if (exclusiveMinimum !== undefined && number <= exclusiveMinimum)
    return `Enter a number above ${exclusiveMinimum}.`;
  if (exclusiveMaximum !== undefined && number >= exclusiveMaximum)
    return `Enter a number below ${exclusiveMaximum}.`;
  if (multipleOf !== undefined && !isMultipleOf(number, multipleOf))
    return `Enter a multiple of ${multipleOf}.`;
  return undefined;
}

export function checkChoices({ options, constraints }: Field, keys: string[]): string | undefined {
  const { minItems, maxItems } = constraints;
  if (minItems !== undefined && keys.length < minItems) return `Choose at least ${minItems}.`;
  if (maxItems !== undefined && keys.length > maxItems) return `Choose at most ${maxItems}.`;
  const known = new Set(options.map(({ key }) => key));
  return keys.every(key => known.has(key)) ? undefined : 'Choose from the listed answers only.';
}

export function checkJson(value: string): string | undefined {
  try {
    JSON.parse(value);
    return undefined;
  } catch (error) {
    return `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
