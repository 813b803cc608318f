import { createHash } from 'node:crypto';
import type { ApiBlock, ApiRequest } from './strictRequest.ts';

/** The provider looks for an earlier end of a prefix up to so many blocks before a mark. */
const LOOK_BACK = 20;

export interface PromptUsage {
  input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

/** A prompt cache like the provider's: prefixes are written where a request is marked, and read as far as one is known. */
export class PromptCache {
  readonly #prefixes = new Set<string>();

  take(request: ApiRequest): PromptUsage {
    const parts = partsOf(request);
    const prefixes: { key: string; tokens: number; marked: boolean }[] = [];
    const hash = createHash('sha256').update(request.model);
    let tokens = 0;
    for (const part of parts) {
      hash.update(part.bytes);
      tokens += part.tokens;
      prefixes.push({ key: hash.copy().digest('hex'), tokens, marked: part.marked });
    }
    const known = prefixes.findLast(
      ({ key }, at) =>
        this.#prefixes.has(key) && prefixes.slice(at, at + LOOK_BACK + 1).some(({ marked }) => marked),
    );
    const marks = prefixes.filter(({ marked }) => marked);
    for (const { key } of marks) this.#prefixes.add(key);
    const read = known?.tokens ?? 0;
    const written = Math.max(read, marks.at(-1)?.tokens ?? 0);
    return {
      input_tokens: tokens - written,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written - read,
    };
  }
}

/** About as many tokens as the provider would count. */
export function countTokens(request: ApiRequest): number {
  return partsOf(request).reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The prompt in the order in which the provider reads it, without the marks. */
export function partsOf({ tools = [], system = [], messages, thinking }: ApiRequest) {
  const before = typeof system === 'string' ? [{ type: 'text', text: system }] : system;
  const said = messages.flatMap(({ role, content }) => {
    const blocks: ApiBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return blocks.map(block => ({ role, thinking, block }));
  });
  return [...tools, ...before, ...said].map(part => {
    const bytes = JSON.stringify(part, (key, value: unknown) =>
      key === 'cache_control' ? undefined : value,
    );
    const block = 'block' in part ? (part.block as ApiBlock) : part;
    // A picture costs by its size in pixels, not by its bytes.
    const counted = bytes.replace(/"data":"[^"]{1000,}"/g, '').length;
    return { bytes, tokens: Math.ceil(counted / 4), marked: 'cache_control' in block };
  });
}
