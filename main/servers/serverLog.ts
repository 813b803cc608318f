import { stripVTControlCharacters } from 'node:util';

const MAX_LINES = 1000;
const MAX_LINE_LENGTH = 2000;

/** The newest lines a server wrote beside the protocol, without terminal codes and without the secrets it was given. */
export class ServerLog {
  /** Hides the server's secrets in a text. */
  readonly redact: (text: string) => string;
  #lines: string[] = [];
  /** How many of the lines are of earlier lives of the server. */
  #earlier = 0;

  constructor(redact: (text: string) => string) {
    this.redact = redact;
  }

  /** Returns the line as it was kept. */
  add(line: string): string {
    // Hidden before it is cut: a cut could leave half of a secret that is not recognised any more.
    const kept = this.redact(stripVTControlCharacters(line)).slice(0, MAX_LINE_LENGTH);
    this.#lines.push(kept);
    // Trimmed in steps: shifting an array of a thousand for each line of a flood would be felt.
    if (this.#lines.length > MAX_LINES * 2) {
      this.#earlier = Math.max(0, this.#earlier - (this.#lines.length - MAX_LINES));
      this.#lines = this.#lines.slice(-MAX_LINES);
    }
    return kept;
  }

  /** The server is started: what was said before is not what it ends with. */
  begin(): void {
    this.#earlier = this.#lines.length;
  }

  /** Oldest first, at most 1,000. */
  lines(): string[] {
    return this.#lines.slice(-MAX_LINES);
  }

  /** The last few lines that say something, for an error message: of its present life, if it said anything in it. */
  tail(count = 3): string {
    const speaking = (lines: string[]) => lines.filter(line => line.trim() !== '');
    const present = speaking(this.#lines.slice(this.#earlier));
    return (present.length > 0 ? present : speaking(this.#lines)).slice(-count).join('\n').slice(-600);
  }
}
