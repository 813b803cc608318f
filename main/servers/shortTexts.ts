/** Longest texts that a server may say about itself and what it offers; enough for people and models, and for storage. */
export const MAX_TEXT = {
  /** What something is told apart by: a longer one cannot be cut without meaning something else. */
  name: 1000,
  title: 300,
  /** Some five thousand tokens: a model would have to read it with every request. */
  description: 20_000,
};

/** The text, or its beginning with a sign that there was more; no half characters, which the LLM API refuses. */
export function shorten(text: string, most: number): string {
  return (text.length > most ? `${text.slice(0, most)} […]` : text).toWellFormed();
}
