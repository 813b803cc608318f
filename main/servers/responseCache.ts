import { InMemoryResponseCacheStore } from '@modelcontextprotocol/client';

/** Characters of one answer that may be kept: a few hundred large resources would fill the memory. */
const MAX_LENGTH = 500_000;

/** What the SDK keeps of a server's answers, by their `ttlMs`: as it does by itself, but nothing large. */
export class ResponseCache extends InMemoryResponseCacheStore {
  override set(key: Parameters<InMemoryResponseCacheStore['set']>[0], entry: { value: string }): number {
    if (key.method === 'resources/read' && entry.value.length > MAX_LENGTH) {
      this.delete(key);
      return 0;
    }
    return super.set(key, entry);
  }
}
