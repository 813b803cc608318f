/** Does a text hold every word of a query, whatever the case and the accents? */
export function matchesQuery(text: string, query: string): boolean {
  const plain = plainOf(text);
  return plainOf(query)
    .split(/\s+/)
    .every(word => plain.includes(word));
}

function plainOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}
