import { wrapItem, wrapStructured, wrapTask } from './carried.ts';
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
  if ('method' in message || !('result' in message || 'error' in message)) return message;
  // Nothing but what belongs there: for a stray member the SDK refuses the whole, and its request waits on.
  const { jsonrpc, id, result, error } = message;
  return { jsonrpc, ...(id === undefined ? {} : { id: asNumber(id) }), ...outcomeOf(result, error) };
}

/** Our own request ids are numbers (the probe's is a word): a reply that spells one as text means that number. */
function asNumber(id: unknown): unknown {
  return typeof id === 'string' && /^\d{1,9}$/.test(id) ? Number(id) : id;
}

/** What cannot pass as a result is an error in words, so that its request ends, and not as if it were well. */
function outcomeOf(result: unknown, error: unknown): Record<string, unknown> {
  if (error !== undefined && error !== null) return { error: normalizeError(error) };
  const normal = normalizeResult(result);
  if (isObject(normal)) return { result: normal };
  const what = Array.isArray(result) ? 'a list' : result === null ? 'null' : typeof result;
  return { error: { code: -32603, message: `The server answered with ${what} instead of a result.` } };
}

/** JSON-RPC wants a code and a message; some servers have only one of them, or only words. */
function normalizeError(error: unknown): Record<string, unknown> {
  const given = isObject(error) ? error : { message: error };
  const code = Number.isSafeInteger(Number(given.code ?? Number.NaN)) ? Number(given.code) : -32603;
  const { message } = given;
  return {
    code,
    message: typeof message === 'string' ? message : message == null ? '' : JSON.stringify(message),
    ...(given.data === undefined || given.data === null ? {} : { data: given.data }),
  };
}

const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates', 'contents'] as const;

function normalizeResult(result: unknown): unknown {
  if (Array.isArray(result) && result.length === 0) return { resultType: 'complete' };
  if (!isObject(result)) return result;
  if (result.resultType === 'task') return wrapTask(result);
  const next = withoutNulls(result);
  // PHP's empty array for an empty object, and worse.
  if ('_meta' in next && !isObject(next._meta)) delete next._meta;
  if ('protocolVersion' in result || 'supportedVersions' in result) Object.assign(next, normalizeHello(next));
  for (const list of LISTS) if (list in result) Object.assign(next, normalizeList(list, result));
  if (Array.isArray(next.content))
    next.content = next.content.map(item => wrapItem.content(isObject(item) ? withoutNulls(item) : item));
  if (Array.isArray(next.messages)) next.messages = next.messages.map(wrapItem.messages);
  // A result that does not say what it is is complete (2026-07-28, basic); before that revision nobody reads this.
  return { resultType: 'complete', ...wrapStructured(next) };
}

/** What a server says of itself first: what it does not know how to say is no reason not to use it. */
function normalizeHello(hello: Record<string, unknown>): object {
  const { capabilities, serverInfo, instructions } = hello;
  const declared = Object.entries(isObject(capabilities) ? withoutNulls(capabilities) : {});
  const info = isObject(serverInfo) ? withoutNulls(serverInfo) : {};
  const asText = (value: unknown) => (['string', 'number'].includes(typeof value) ? String(value) : '');
  return {
    // PHP's empty array, and `true`, for what has no settings.
    capabilities: Object.fromEntries(
      declared.flatMap(([name, what]) => (what === false ? [] : [[name, isObject(what) ? what : {}]])),
    ),
    // Since 2026-07-28 it need not say who it is.
    ...(serverInfo === undefined && !('protocolVersion' in hello)
      ? {}
      : { serverInfo: { ...info, name: asText(info.name), version: asText(info.version) } }),
    instructions: typeof instructions === 'string' ? instructions : undefined,
  };
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
