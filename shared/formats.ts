/**
 * The formats of JSON Schema, by the very definitions that the last check before sending uses (and that servers on
 * the official SDK use): what a form lets through is what they accept.
 */
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Is the text of that format? Undefined when the format is not known, or the text too long to find out. */
export function isOfFormat(format: string, text: string): boolean | undefined {
  if (!Object.hasOwn(fullFormats, format) || text.length > MAX_LENGTH) return undefined;
  const known: unknown = fullFormats[format as keyof typeof fullFormats];
  const check = typeof known === 'object' && known !== null && 'validate' in known ? known.validate : known;
  // Those for numbers say so.
  if (typeof known === 'object' && known !== null && 'type' in known && known.type === 'number')
    return undefined;
  if (check instanceof RegExp) return check.test(text);
  return typeof check === 'function' ? Boolean(check(text)) : undefined;
}

/** The checks take time that grows faster than the text. */
const MAX_LENGTH = 10_000;
