import type { ToolResult } from '../../shared/chat.ts';
import { imageProblem, readImage } from './imageType.ts';

/** What a model can take in of a tool result. */
export type ModelContent = { type: 'text'; text: string } | { type: 'image'; mimeType: string; data: string };

/**
 * A result as the model reads it: never empty, no base64 as text, nothing that is meant for the person alone, and
 * images by their true type. Pure and deterministic, so that a conversation sends the same bytes each time.
 */
export function toModelContent(result: ToolResult): ModelContent[] {
  const content = result.content.map(item => described(item, result));
  const structured = structuredText(result, content);
  if (structured) content.push({ type: 'text', text: structured });
  const kept = content.filter(item => item.type === 'image' || item.text.trim() !== '');
  if (kept.length > 0) return kept;
  return [{ type: 'text', text: result.isError ? '(failed without a message)' : '(no output)' }];
}

type Item = ToolResult['content'][number];

function described(item: Item, result: ToolResult): ModelContent {
  switch (item.type) {
    case 'text':
      return text(withoutRepeatedData(textOf(item.text), result));
    case 'image':
      return image(textOf(item.data), textOf(item.mimeType));
    case 'audio':
      return text(
        `(audio: ${textOf(item.mimeType) || 'unknown type'}, ${byteCount(textOf(item.data))} bytes; shown to the person)`,
      );
    case 'resource':
      return resource(item.resource);
    case 'resource_link':
      return text(link(item));
    default:
      return text(`(content of the unknown type “${item.type}”; not shown)`);
  }
}

function image(data: string, claimed: string): ModelContent {
  const known = readImage(data);
  const what = `${claimed || 'no type'}, ${byteCount(data)} bytes`;
  if (!known) return text(`(an image that cannot be shown: ${what})`);
  const problem = imageProblem(known);
  return problem
    ? text(`(an image that is too large for the model: ${what}, ${problem}; shown to the person)`)
    : { type: 'image', ...known };
}

function resource(raw: unknown): ModelContent {
  const {
    uri,
    mimeType,
    text: words,
    blob,
  } = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>;
  const name = `resource ${textOf(uri) || 'without an address'}`;
  const type = textOf(mimeType);
  if (typeof words === 'string') return text(`(${name})\n${words}`);
  if (typeof blob !== 'string') return text(`(${name}, empty)`);
  if (readImage(blob)) return image(blob, type);
  if (isTextType(type)) {
    const decoded = decodeUtf8(blob);
    if (decoded !== undefined) return text(`(${name})\n${decoded}`);
  }
  return text(`(${name}: ${type || 'unknown type'}, ${byteCount(blob)} bytes; shown to the person)`);
}

function link(item: Item): string {
  const size = typeof item.size === 'number' ? `, ${item.size} bytes` : '';
  const about = textOf(item.description);
  return `(link to resource “${textOf(item.title) || textOf(item.name)}”: ${textOf(item.uri)}${size}${about ? `; ${about}` : ''}; not fetched)`;
}

/** Data that a text repeats from beside it, or holds as an address of its own, is no text. */
function withoutRepeatedData(words: string, { content, structuredContent }: ToolResult): string {
  if (words.length < LEAST_DATA) return words;
  if (structuredContent !== undefined && sameJson(words, structuredContent)) {
    const bare = JSON.stringify(withoutBase64(structuredContent));
    return sameJson(bare, structuredContent) ? words : bare;
  }
  const beside = content
    .flatMap(({ data, resource }) => [data, (resource as { blob?: unknown } | undefined)?.blob])
    .filter(data => typeof data === 'string' && data.length >= LEAST_DATA) as string[];
  return beside
    .reduce((rest, data) => rest.replaceAll(data, leftOut(data)), words)
    .replace(DATA_ADDRESS, (whole, start: string) => `${start}${leftOut(whole.slice(start.length))}`);
}

const LEAST_DATA = 512;
const DATA_ADDRESS = /(data:[a-z0-9.+-]+\/[a-z0-9.+-]+(?:;[a-z0-9=-]+)*;base64,)[A-Za-z0-9+/]{512,}={0,2}/gi;

function leftOut(base64: string): string {
  return `(${byteCount(base64)} bytes of base64 left out)`;
}

/** Structured content only where no text says the same already. */
function structuredText(result: ToolResult, content: ModelContent[]): string | undefined {
  if (result.structuredContent === undefined || result.structuredContent === null) return undefined;
  const bare = withoutBase64(result.structuredContent);
  const said = content.some(item => item.type === 'text' && sameJson(item.text, bare));
  return said ? undefined : JSON.stringify(bare);
}

function sameJson(words: string, value: unknown): boolean {
  if (!/^\s*[[{]/.test(words)) return false;
  try {
    return JSON.stringify(JSON.parse(words)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** Long base64 runs inside structured data would cost a fortune and tell a model nothing. */
function withoutBase64(value: unknown): unknown {
  if (typeof value === 'string') {
    const bare = value.replace(/^data:[^,]*,/, '');
    return bare.length > LEAST_DATA && isBase64(bare, bare !== value) ? leftOut(bare) : value;
  }
  if (Array.isArray(value)) return value.map(withoutBase64);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBase64(inner)]));
}

/** A long word of letters alone may well be a word. */
function isBase64(text: string, isSaidToBe: boolean): boolean {
  return (
    /^[A-Za-z0-9+/\r\n]+=*$/.test(text) &&
    (isSaidToBe || [/[a-z]/, /[A-Z]/, /\d/].every(kind => kind.test(text)))
  );
}

function isTextType(type: string): boolean {
  return /^text\/|[/+](json|xml|yaml|javascript|csv)\b/.test(type);
}

function decodeUtf8(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}

function byteCount(base64: string): number {
  return Buffer.byteLength(base64.replace(/^data:[^,]*,/, ''), 'base64');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Half of a surrogate pair is no text: the LLM API refuses it, and with it the whole conversation. */
function text(words: string): ModelContent {
  return { type: 'text', text: words.toWellFormed() };
}
