import { wrapItem, wrapTask } from './carried.ts';
import { isObject, withoutNulls } from './objects.ts';

/**
 * Servers written without an SDK send null where they mean "absent", wrap single replies in an array, or return the
 * id as text. Each repair here is one that has only one possible meaning; everything else stays as it came.
 */
export function normalizeMessages(json: unknown): unknown[] {
  const items = Array.isArray(json) ? json : [json];
  return items.filter(isObject).map(normalizeMessage);
}

function normalizeMessage(message: Record<string, unknown>): Record<string, unknown> {
  if ('method' in message) return message;
  const next = { ...message };
  if (next.error === null) delete next.error;
  if (next.result === null && next.error === undefined) {
    // `null` is no result of any method: said as an error, so that the request ends instead of passing as empty.
    delete next.result;
    next.error = { code: -32603, message: 'The server answered with null instead of a result.' };
  }
  if (next.result === null) delete next.result;
  if ('result' in next) next.result = normalizeResult(next.result);
  // Our own request ids are numbers (the probe's is a word): a reply that spells one as text means that number.
  if (typeof next.id === 'string' && /^\d{1,9}$/.test(next.id)) next.id = Number(next.id);
  return next;
}

const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates', 'contents'] as const;

function normalizeResult(result: unknown): unknown {
  if (Array.isArray(result) && result.length === 0) return { resultType: 'complete' };
  if (!isObject(result)) return result;
  if (result.resultType === 'task') return wrapTask(result);
  const next = withoutNulls(result);
  for (const key of ['capabilities', 'serverInfo'])
    if (isObject(next[key])) next[key] = withoutNulls(next[key]);
  for (const list of LISTS) if (list in result) Object.assign(next, normalizeList(list, result));
  if (Array.isArray(next.content))
    next.content = next.content.map(item => wrapItem.content(isObject(item) ? withoutNulls(item) : item));
  if (Array.isArray(next.messages)) next.messages = next.messages.map(wrapItem.messages);
  // A result that does not say what it is is complete (2026-07-28, basic); before that revision nobody reads this.
  return { resultType: 'complete', ...next };
}

/** The list, and for how long it may be kept: a modern server that does not say so means not at all. */
function normalizeList(list: (typeof LISTS)[number], result: Record<string, unknown>): object {
  const { [list]: items, ttlMs, cacheScope } = result;
  return {
    [list]: Array.isArray(items) ? items.map(item => wrapItem[list](normalizeItem(item))) : (items ?? []),
    ttlMs: Number.isSafeInteger(ttlMs) ? Math.max(0, ttlMs as number) : 0,
    cacheScope: cacheScope === 'public' ? 'public' : 'private',
  };
}

/** A list item without its null members; PHP's empty array for an empty object is one too. */
function normalizeItem(item: unknown): unknown {
  if (!isObject(item)) return item;
  const next = withoutNulls(item);
  if (Array.isArray(next.annotations)) next.annotations = {};
  return next;
}
