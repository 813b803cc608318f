import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

/** How long a question must have been there before a line can decide it, in milliseconds. */
const SETTLE_MS = 400;

/** A person at a terminal, or lines from a pipe: one reader of stdin for questions and for what is typed freely. */
export class Terminal {
  readonly #lines: Interface;
  readonly #output: NodeJS.WritableStream;
  readonly #isInteractive: boolean;
  readonly #now: () => number;
  #hasEnded = false;
  /** What is typed is not shown. */
  #isHidden = false;

  constructor(
    input: NodeJS.ReadableStream,
    output: NodeJS.WritableStream,
    options: { interactive: boolean; now?: () => number },
  ) {
    this.#output = output;
    this.#isInteractive = options.interactive;
    this.#now = options.now ?? (() => performance.now());
    this.#lines = createInterface({
      input,
      output: options.interactive ? this.#screen() : undefined,
      terminal: options.interactive,
    });
    this.#lines.once('close', () => {
      this.#hasEnded = true;
    });
    // A secret does not come back with the arrow keys.
    this.#lines.on('history', history => {
      if (this.#isHidden) history.shift();
    });
  }

  /** Asks and resolves with the answer; with undefined when `signal` fires or no more input comes. */
  async question(text: string, signal: AbortSignal): Promise<string | undefined> {
    if (this.#hasEnded || signal.aborted) return undefined;
    return new Promise(resolve => {
      const giveUp = () => finish(undefined);
      const finish = (answer: string | undefined) => {
        signal.removeEventListener('abort', giveUp);
        this.#lines.off('close', giveUp);
        resolve(answer);
      };
      signal.addEventListener('abort', giveUp);
      this.#lines.once('close', giveUp);
      this.#lines.question(text, { signal }, finish);
    });
  }

  /**
   * For a question that lets something happen: whether it has only just appeared, so that a line was meant for
   * something else. From a pipe every line is meant.
   */
  appears(): () => boolean {
    const at = this.#now();
    return () => this.#isInteractive && this.#now() - at < SETTLE_MS;
  }

  /** Like `question`, and what is typed is neither shown nor kept in the history of the lines. */
  async secret(text: string, signal: AbortSignal): Promise<string | undefined> {
    this.#output.write(text);
    this.#isHidden = true;
    try {
      return await this.question('', signal);
    } finally {
      this.#isHidden = false;
      this.#output.write('\n');
    }
  }

  /** Prints text that belongs to a question. */
  say(text: string): void {
    this.#output.write(`${text}\n`);
  }

  /** Shows that something can be typed now. */
  prompt(text: string): void {
    if (this.#hasEnded) return;
    this.#lines.setPrompt(text);
    this.#lines.prompt();
  }

  onLine(listener: (line: string) => void): void {
    this.#lines.on('line', listener);
  }

  onEnd(listener: () => void): void {
    this.#lines.once('close', listener);
  }

  /** Ctrl-C, which reaches a terminal in line-editing mode as a key and not as a signal. */
  onInterrupt(listener: () => void): void {
    this.#lines.on('SIGINT', listener);
  }

  close(): void {
    this.#lines.close();
  }

  /** Where the line that is being typed is drawn. */
  #screen(): NodeJS.WritableStream {
    const screen = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!this.#isHidden) this.#output.write(chunk);
        done();
      },
    });
    const { columns } = this.#output as { columns?: number };
    return Object.assign(screen, { isTTY: true, ...(columns === undefined ? {} : { columns }) });
  }
}
