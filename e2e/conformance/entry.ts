import type { JsonObject } from '../../shared/tools.ts';

/** What the suite tells the client of a scenario, as far as Parley can use it. */
export interface Context {
  toolCalls?: { name: string; arguments: JsonObject }[];
}

/** The entry of servers.json that a person would write for the tested server. */
export function entryFor(url: string, _context: Context): JsonObject {
  return { type: 'http', url };
}
