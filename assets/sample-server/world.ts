import { createRequestStateCodec } from '@modelcontextprotocol/server';
import { Pages } from './pages.ts';

/** What outlives a single instance of the server: over HTTP each request is answered by an instance of its own. */
export class World {
  readonly pages = new Pages();
  /** Seals what a tool remembers between two rounds, because it travels through the client. */
  readonly remembered = createRequestStateCodec<string>({ key: crypto.getRandomValues(new Uint8Array(32)) });
  readonly #listeners = new Set<() => void>();
  #surprise = false;

  /** Whether the tool list holds `surprise`. */
  get surprise(): boolean {
    return this.#surprise;
  }

  toggleSurprise(): void {
    this.#surprise = !this.#surprise;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Hears of every change of the tool list; returns the function that ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    return this.pages.close();
  }
}
