import { createInterface, type Interface } from 'node:readline';

/** A person at a terminal, or lines from a pipe: one reader of stdin for questions and for what is typed freely. */
export class Terminal {
  readonly #lines: Interface;
  readonly #output: NodeJS.WritableStream;
  #hasEnded = false;

  constructor(
    input: NodeJS.ReadableStream,
    output: NodeJS.WritableStream,
    options: { interactive: boolean },
  ) {
    this.#output = output;
    this.#lines = createInterface({
      input,
      output: options.interactive ? output : undefined,
      terminal: options.interactive,
    });
    this.#lines.once('close', () => {
      this.#hasEnded = true;
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
}
