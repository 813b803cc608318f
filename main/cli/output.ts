import { styleText } from 'node:util';
import type { ErrorInfo } from '../../shared/errors.ts';
import { exact, printableJson } from './plainText.ts';

type Stream = NodeJS.WritableStream & { isTTY?: boolean };
type Style = Parameters<typeof styleText>[0];

/** Where a command's words go: the result to stdout, everything about it to stderr; or JSON lines to stdout. */
export class Output {
  readonly json: boolean;
  readonly #stdout: Stream;
  readonly #stderr: Stream;
  #hasResult = false;

  constructor(options: { json: boolean; stdout?: Stream; stderr?: Stream }) {
    this.json = options.json;
    this.#stdout = options.stdout ?? process.stdout;
    this.#stderr = options.stderr ?? process.stderr;
  }

  /** Whether the result is read by a person as it comes, and not by a program. */
  get live(): boolean {
    return !this.json && this.#stdout.isTTY === true;
  }

  /** One event; only with --json, and never after the result. */
  event(name: string, payload: unknown): void {
    if (this.json && !this.#hasResult) this.#stdout.write(`${printableJson({ event: name, payload })}\n`);
  }

  /** The last word: one JSON line, or its text for people. */
  result(value: object, text: string): void {
    this.#hasResult = true;
    if (this.json) this.#stdout.write(`${printableJson(value)}\n`);
    else if (text !== '') this.#stdout.write(`${text}\n`);
  }

  /** A part of the result for people, while it grows. */
  write(text: string): void {
    if (!this.json) this.#stdout.write(text);
  }

  /** Something beside the result. */
  note(text: string): void {
    this.#stderr.write(`${text}\n`);
  }

  /** Something that only matters to a person who looks on. */
  activity(text: string): void {
    if (this.#stderr.isTTY && !this.json) this.note(paint('dim', text));
  }

  /** What went wrong and what to do about it. */
  error({ message, hint }: ErrorInfo): void {
    this.note(`${paint('red', 'parley:')} ${exact(message)}`);
    if (hint !== undefined) this.note(`  ${exact(hint)}`);
  }
}

/** Colours where people look and want them (https://no-color.org). */
export function paint(style: Style, text: string): string {
  return process.stderr.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text;
}
