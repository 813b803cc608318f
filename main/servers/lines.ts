import { END_LENGTH } from './unreadable.ts';

const LF = 0x0a;
const CR = 0x0d;
const BOM = '\uFEFF';
/** Of a line that is too long, so much of the beginning is handed over. */
const MAX_HEAD_BYTES = 64 * 1024;

/**
 * Cuts a byte stream into lines at LF only and decodes whole lines, so that neither characters nor line ends can be
 * damaged by where a read happens to stop. A trailing CR and a leading BOM are dropped. Of a line of more than
 * `maxBytes` only the beginning is kept, and its end in `cutTail`, however long it goes on.
 */
export class LineSplitter {
  readonly #onLine: (line: string, cutTail?: string) => void;
  readonly #maxBytes: number;
  /** What there is of the present line: in one place, because a million small reads would cost more than they hold. */
  #buffer = Buffer.alloc(0);
  #size = 0;
  /** The end so far of a line that is too long. */
  #tail: Buffer | undefined;
  #first = true;

  constructor(onLine: (line: string, cutTail?: string) => void, maxBytes: number) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      const part = chunk.subarray(start, end);
      // Most lines come whole, and need no copy.
      if (this.#size === 0 && part.length <= this.#maxBytes) this.#hand(part);
      else {
        this.#take(part);
        this.#finish();
      }
      start = end + 1;
    }
    this.#take(chunk.subarray(start));
  }

  /** Hands over what came after the last LF, when the stream has ended. */
  end(): void {
    if (this.#size > 0) this.#finish();
  }

  #take(part: Buffer): void {
    if (part.length === 0) return;
    if (this.#tail) {
      this.#tail = Buffer.concat([this.#tail, part.subarray(-END_LENGTH)]).subarray(-END_LENGTH);
      return;
    }
    const size = this.#size + part.length;
    if (size > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(size, Math.min(size * 2, this.#maxBytes)));
      this.#buffer.copy(larger, 0, 0, this.#size);
      this.#buffer = larger;
    }
    part.copy(this.#buffer, this.#size);
    this.#size = size;
    if (size <= this.#maxBytes) return;
    this.#tail = Buffer.from(this.#buffer.subarray(size - END_LENGTH, size));
    this.#size = Math.min(this.#maxBytes, MAX_HEAD_BYTES);
    this.#buffer = Buffer.from(this.#buffer.subarray(0, this.#size));
  }

  #finish(): void {
    const bytes = this.#buffer.subarray(0, this.#size);
    const tail = this.#tail?.toString('utf8');
    // What a long line took is given back.
    this.#buffer = Buffer.alloc(0);
    this.#size = 0;
    this.#tail = undefined;
    this.#hand(bytes, tail);
  }

  #hand(bytes: Buffer, cutTail?: string): void {
    const end = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length;
    let line = bytes.toString('utf8', 0, end);
    if (this.#first && line.startsWith(BOM)) line = line.slice(1);
    this.#first = false;
    this.#onLine(line, cutTail);
  }
}
