import { createContext, Script } from 'node:vm';
import type { JsonObject } from '../../shared/tools.ts';

/**
 * What a check of untrusted data may take. Honest ones take milliseconds, but a slow machine may be at its first one.
 * Everything else waits meanwhile, so whoever runs into it must not try the same again.
 */
export const CHECK_MS = 2000;

/**
 * Does work whose length somebody outside decides, such as a schema that was made to explode, and ends it when it takes
 * longer than `ms`: running JavaScript, regular expressions included, is interrupted.
 * @throws what `work` throws, stack overflow included, and an error when the time is up
 */
export function within<T>(ms: number, work: () => T): T {
  box.work = work;
  try {
    return script.runInContext(context, { timeout: ms }) as T;
  } finally {
    box.work = undefined;
  }
}

/**
 * Whether checking a value against this schema takes no longer than their sizes say. Such a check needs no limit, and
 * the limit costs more than a whole tool call. Only a schema that refers to parts of itself, has patterns or compares
 * items with each other can do worse.
 */
export function isTame(schema: JsonObject): boolean {
  const text = JSON.stringify(schema);
  return text.length <= MAX_TAME_LENGTH && !/"(\$\w*[rR]ef|pattern\w*|uniqueItems|format)":/.test(text);
}

const MAX_TAME_LENGTH = 20_000;
const box: { work: (() => unknown) | undefined } = { work: undefined };
const context = createContext(box);
const script = new Script('work()');
