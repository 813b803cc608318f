/** The value with its keys sorted at every depth: the order in which somebody happens to write them says nothing. */
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortedKeys(inner)]),
  );
}

/** The same text for the same value. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortedKeys(value ?? null));
}
