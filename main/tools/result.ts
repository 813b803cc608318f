import type { ToolResult } from '../../shared/chat.ts';
import { readImage } from './imageType.ts';

/** What a model can take in of a tool result. */
export type ModelContent = { type: 'text'; text: string } | { type: 'image'; mimeType: string; data: string };

/** How much of one result a model reads, in characters; the person always sees all of it. */
export const MAX_MODEL_TEXT = 100_000;

/**
 * A result as the model reads it: never empty, no base64 as text, images by their true type, and cut with a note when
 * it is too long. Pure and deterministic, so that a conversation sends the same bytes each time.
 */
export function toModelContent(result: ToolResult, maxText = MAX_MODEL_TEXT): ModelContent[] {
  const content = result.content.map(describe);
  const structured = structuredText(result, content);
  if (structured) content.push({ type: 'text', text: structured });
  const kept = cut(
    content.filter(item => item.type === 'image' || item.text.trim() !== ''),
    maxText,
  );
  if (kept.length > 0) return kept;
  return [{ type: 'text', text: result.isError ? '(failed without a message)' : '(no output)' }];
}

type Item = ToolResult['content'][number];

function describe(item: Item): ModelContent {
  switch (item.type) {
    case 'text':
      return text(textOf(item.text));
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
  if (known) return { type: 'image', ...known };
  return text(`(an image that cannot be shown: ${claimed || 'no type'}, ${byteCount(data)} bytes)`);
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
  const known = readImage(blob);
  if (known) return { type: 'image', ...known };
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

/** Structured content only where no text says the same already. */
function structuredText(result: ToolResult, content: ModelContent[]): string | undefined {
  if (result.structuredContent === undefined || result.structuredContent === null) return undefined;
  const json = JSON.stringify(withoutBase64(result.structuredContent));
  const said = content.some(item => item.type === 'text' && sameJson(item.text, result.structuredContent));
  return said ? undefined : json;
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
    return bare.length > 512 && /^[A-Za-z0-9+/\s]+=*$/.test(bare)
      ? `(${byteCount(bare)} bytes of base64 left out)`
      : value;
  }
  if (Array.isArray(value)) return value.map(withoutBase64);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBase64(inner)]));
}

function cut(content: ModelContent[], maxText: number): ModelContent[] {
  let room = maxText;
  let missing = 0;
  const kept = content.flatMap((item): ModelContent[] => {
    if (item.type === 'image') return [item];
    // Never in the middle of a surrogate pair.
    const part = item.text.slice(0, room).replace(/[\uD800-\uDBFF]$/, '');
    room -= part.length;
    missing += item.text.length - part.length;
    return part === '' ? [] : [text(part)];
  });
  if (missing > 0)
    kept.push(
      text(`(cut: ${missing} more characters were left out. Ask for a smaller part of it, if the tool can.)`),
    );
  return kept;
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
