/**
 * Servers written without an SDK send null where they mean "absent", wrap single replies in an array, or return the
 * id as text. Each repair here is one that has only one possible meaning; everything else stays as it came.
 */
export function normalizeMessages(json: unknown): unknown[] {
  const items = Array.isArray(json) ? json : [json];
  return items.filter(isObject).map(normalizeMessage);
}

function normalizeMessage(message: Record<string, unknown>): Record<string, unknown> {
  const next = { ...message };
  if (next.error === null) delete next.error;
  if (!('method' in next) && next.result === null && next.error === undefined) {
    // `null` is no result of any method: said as an error, so that the request ends instead of passing as empty.
    delete next.result;
    next.error = { code: -32603, message: 'The server answered with null instead of a result.' };
  }
  if (!('method' in next) && 'result' in next) next.result = normalizeResult(next.result);
  // Our own request ids are numbers (the probe's is a word): a reply that spells one as text means that number.
  if (!('method' in next) && typeof next.id === 'string' && /^\d{1,9}$/.test(next.id))
    next.id = Number(next.id);
  return next;
}

const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates'];

function normalizeResult(result: unknown): unknown {
  if (Array.isArray(result) && result.length === 0) return {};
  if (!isObject(result)) return result;
  const next = { ...result };
  if (next.nextCursor === null) delete next.nextCursor;
  for (const list of LISTS) {
    if (next[list] === null) next[list] = [];
    if (Array.isArray(next[list])) next[list] = next[list].map(withoutNulls);
  }
  return next;
}

/** A list item without its null members; PHP's empty array for an empty object is one too. */
function withoutNulls(item: unknown): unknown {
  if (!isObject(item)) return item;
  const entries = Object.entries(item).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'annotations' && Array.isArray(value) ? {} : value]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
