import { stripVTControlCharacters } from 'node:util';

const MAX_LINES = 1000;
const MAX_LINE_LENGTH = 4000;
const REDACTED = '[hidden]';

/** The newest lines a server wrote beside the protocol, without terminal codes and without the secrets it was given. */
export class ServerLog {
  readonly #secrets: string[];
  #lines: string[] = [];

  /** @param secrets values that must not be kept; very short ones are ignored, they would hide ordinary text */
  constructor(secrets: Iterable<string>) {
    this.#secrets = [...secrets].filter(secret => secret.length >= 6).sort((a, b) => b.length - a.length);
  }

  /** Returns the line as it was kept. */
  add(line: string): string {
    const kept = this.redact(stripVTControlCharacters(line.slice(0, MAX_LINE_LENGTH)));
    this.#lines.push(kept);
    // Trimmed in steps: shifting an array of a thousand for each line of a flood would be felt.
    if (this.#lines.length > MAX_LINES * 2) this.#lines = this.#lines.slice(-MAX_LINES);
    return kept;
  }

  redact(text: string): string {
    return this.#secrets.reduce((result, secret) => result.replaceAll(secret, REDACTED), text);
  }

  /** Oldest first, at most 1,000. */
  lines(): string[] {
    return this.#lines.slice(-MAX_LINES);
  }

  /** The last few lines that say something, for an error message. */
  tail(count = 3): string {
    return this.lines()
      .filter(line => line.trim() !== '')
      .slice(-count)
      .join('\n')
      .slice(-600);
  }
}
