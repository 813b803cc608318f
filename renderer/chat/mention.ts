/** The word after an @ that the cursor is in; undefined when it is in none. */
export function mentionAt(text: string, caret: number): { from: number; query: string } | undefined {
  const query = /(?:^|\s)@(\S*)$/.exec(text.slice(0, caret))?.[1];
  return query === undefined ? undefined : { from: caret - query.length - 1, query };
}
