import { stripVTControlCharacters } from 'node:util';

const MAX_LINES = 1000;
const MAX_LINE_LENGTH = 2000;

/** The newest lines a server wrote beside the protocol, without terminal codes and without the secrets it was given. */
export class ServerLog {
  /** Hides the server's secrets in a text. */
  readonly redact: (text: string) => string;
  #lines: string[] = [];

  constructor(redact: (text: string) => string) {
    this.redact = redact;
  }

  /** Returns the line as it was kept. */
  add(line: string): string {
    // Hidden before it is cut: a cut could leave half of a secret that is not recognised any more.
    const kept = this.redact(stripVTControlCharacters(line)).slice(0, MAX_LINE_LENGTH);
    this.#lines.push(kept);
    // Trimmed in steps: shifting an array of a thousand for each line of a flood would be felt.
    if (this.#lines.length > MAX_LINES * 2) this.#lines = this.#lines.slice(-MAX_LINES);
    return kept;
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
