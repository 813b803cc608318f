import type { ToolInfo } from '../../shared/tools.ts';
import { JsonObject } from '../../shared/tools.ts';
import { restOf } from './guideRest.ts';
import { type Property, propertiesOf } from './guideSchema.ts';
import { type Token, tokensOf } from './guideTokens.ts';

export interface Arguments {
  values: JsonObject;
  /** Required ones that the text does not say. */
  missing: string[];
  /** Numbers that were typed and found no place although the tool takes numbers: something was meant differently. */
  unread: string[];
}

/**
 * Reads a tool's arguments from what a person typed: JSON, `name=value`, then whatever fits the kind of each
 * argument in the order of the schema, required ones first. What is not there is not guessed.
 */
export function readArguments(text: string, tool: ToolInfo): Arguments {
  const properties = propertiesOf(tool.inputSchema);
  const json = /\{[\s\S]*\}\s*$/.exec(text);
  const object = json ? parse(json[0]) : undefined;
  const values: JsonObject = { ...object };
  const readable = object && json ? text.slice(0, json.index) : text;
  const tokens = tokensOf(readable);
  const open = () => properties.filter(property => !Object.hasOwn(values, property.name));

  for (const property of open()) set(values, property, readNamed(property, readable, tokens));
  for (const property of open()) set(values, property, readByKind(property, readable, tokens));
  for (const property of open().filter(isFreeText)) set(values, property, take(tokens, ['quoted'])?.value);
  const free = soleFreeText(properties, open());
  if (free) set(values, free, restOf(readable, tool, tokens));
  for (const property of open()) if (property.required) set(values, property, property.fallback);

  const missing = open().flatMap(({ name, required }) => (required ? [name] : []));
  const restIsRead = free !== undefined && Object.hasOwn(values, free.name);
  return { values, missing, unread: restIsRead ? [] : unreadNumbers(properties, tokens) };
}

function unreadNumbers(properties: readonly Property[], tokens: readonly Token[]): string[] {
  const takesNumbers = properties.some(({ kind }) => kind === 'number' || kind === 'integer');
  return takesNumbers ? tokens.flatMap(one => (one.kind === 'number' && !one.used ? [one.value] : [])) : [];
}

function set(values: JsonObject, { name }: Property, value: unknown): void {
  // defineProperty: a property may be called `__proto__`.
  if (value !== undefined)
    Object.defineProperty(values, name, { value, enumerable: true, writable: true, configurable: true });
}

function parse(json: string): JsonObject | undefined {
  try {
    return JsonObject.safeParse(JSON.parse(json)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** `name=value` or `name: value`. */
function readNamed(property: Property, text: string, tokens: Token[]): unknown {
  const name = property.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const match = new RegExp(`(?<![\\p{L}\\p{N}_])${name}\\s*[=:]\\s*`, 'iu').exec(text);
  if (!match) return undefined;
  const at = match.index + match[0].length;
  const token = tokens.find(({ start, used }) => start === at && !used);
  const value = token && convert(property, token.value);
  if (!token || value === undefined) return undefined;
  // The name itself is spent too.
  for (const other of tokens) if (other.start >= match.index && other.end <= token.end) other.used = true;
  return value;
}

/** A single word as the kind of value that the property takes; undefined when it is none. */
function convert(property: Property, value: string): unknown {
  switch (property.kind) {
    case 'number':
    case 'integer': {
      const number = Number(value);
      const fits =
        value !== '' && Number.isFinite(number) && (property.kind === 'number' || Number.isInteger(number));
      return fits ? number : undefined;
    }
    case 'boolean':
      return booleans.get(value.toLowerCase());
    case 'choice':
      return property.choices.find(({ words }) => words.includes(value.toLowerCase()))?.value;
    case 'list':
    case 'other':
      return undefined;
    default:
      return value;
  }
}

const booleans = new Map([
  ...['true', 'yes', 'on'].map(word => [word, true] as const),
  ...['false', 'no', 'off'].map(word => [word, false] as const),
]);

function readByKind(property: Property, text: string, tokens: Token[]): unknown {
  switch (property.kind) {
    case 'number':
    case 'integer': {
      const token = tokens.find(
        one => !one.used && one.kind === 'number' && convert(property, one.value) !== undefined,
      );
      return token && convert(property, spend(token).value);
    }
    case 'boolean': {
      const token = tokens.find(
        one => !one.used && one.kind === 'word' && booleans.has(one.value.toLowerCase()),
      );
      return token && booleans.get(spend(token).value.toLowerCase());
    }
    case 'choice':
      return readChoices(property, text, tokens)[0];
    case 'list':
      return readList(property, text, tokens);
    case 'email':
    case 'url':
    case 'path':
    case 'date':
    case 'date-time':
      return take(tokens, [property.kind])?.value;
    default:
      return undefined;
  }
}

function readList(property: Property, text: string, tokens: Token[]): unknown[] | undefined {
  const { items } = property;
  if (!items) return undefined;
  if (items.kind === 'choice') return orNothing(readChoices(items, text, tokens));
  const kind = items.kind === 'integer' ? 'number' : items.kind === 'text' ? 'quoted' : items.kind;
  const fitting = tokens.filter(
    one => !one.used && one.kind === kind && convert(items, one.value) !== undefined,
  );
  return orNothing(fitting.map(token => convert(items, spend(token).value)));
}

function orNothing(list: unknown[]): unknown[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** The choices that stand in the text by value or title, in the order of the text. */
function readChoices({ choices }: Property, text: string, tokens: Token[]): unknown[] {
  const lower = text.toLowerCase();
  const found = choices.flatMap(({ value, words }) => {
    const hits = words.flatMap(word => {
      const at = indexOfWord(lower, word);
      const spanned = tokens.filter(one => at >= 0 && one.start < at + word.length && one.end > at);
      return at >= 0 && spanned.every(one => !one.used) ? [{ value, at, spanned }] : [];
    });
    return hits.slice(0, 1);
  });
  for (const { spanned } of found) spanned.forEach(spend);
  return found.sort((a, b) => a.at - b.at).map(({ value }) => value);
}

function indexOfWord(text: string, word: string): number {
  if (word === '') return -1;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = [text[at - 1], text[at + word.length]];
    if (around.every(character => character === undefined || !/[\p{L}\p{N}]/u.test(character))) return at;
  }
  return -1;
}

function take(tokens: Token[], kinds: Token['kind'][]): Token | undefined {
  const token = tokens.find(one => !one.used && kinds.includes(one.kind));
  return token && spend(token);
}

function spend(token: Token): Token {
  token.used = true;
  return token;
}

function isFreeText({ kind }: Property): boolean {
  // Not everybody writes a path so that it looks like one.
  return kind === 'text' || kind === 'path';
}

/** The one text that the rest of what was typed can be meant for: the only required one, or else the only one. */
function soleFreeText(all: readonly Property[], open: readonly Property[]): Property | undefined {
  const free = open.filter(isFreeText);
  const required = free.filter(property => property.required);
  if (required.length > 0) return required.length === 1 ? required[0] : undefined;
  return all.filter(isFreeText).length === 1 ? free[0] : undefined;
}
