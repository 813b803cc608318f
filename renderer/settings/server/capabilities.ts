import type { JsonObject } from '../../../shared/tools.ts';

const known: Record<string, string> = {
  tools: 'tools',
  resources: 'resources',
  prompts: 'prompts',
  completions: 'completion of arguments',
  logging: 'log messages',
};

/** What a server declares, a few words for each: `tools (tells of changes)`. */
export function capabilityWords(capabilities: JsonObject): string[] {
  return Object.entries(capabilities).flatMap(([name, value]) => {
    if (name === 'extensions' || name === 'experimental') return Object.keys(asObject(value));
    const { listChanged, subscribe } = asObject(value);
    const more = [listChanged === true && 'tells of changes', subscribe === true && 'can be followed'].filter(
      Boolean,
    );
    return `${known[name] ?? name}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
  });
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
