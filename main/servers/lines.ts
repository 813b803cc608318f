const LF = 0x0a;
const CR = 0x0d;
const BOM = '\uFEFF';

/**
 * Cuts a byte stream into lines at LF only and decodes whole lines, so that neither characters nor line ends can be
 * damaged by where a read happens to stop. A trailing CR and a leading BOM are dropped; an over-long line is cut,
 * and said to be.
 */
export class LineSplitter {
  readonly #onLine: (line: string, isCut: boolean) => void;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;
  #skipping = false;
  #first = true;

  constructor(onLine: (line: string, isCut: boolean) => void, maxBytes: number) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(LF); end !== -1; end = rest.indexOf(LF)) {
      this.#take(rest.subarray(0, end));
      this.#finish();
      rest = rest.subarray(end + 1);
    }
    this.#take(rest);
  }

  /** Hands over what came after the last LF, when the stream has ended. */
  end(): void {
    if (this.#size > 0) this.#finish();
  }

  #take(part: Buffer): void {
    if (part.length === 0 || this.#skipping) return;
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size > this.#maxBytes) this.#skipping = true;
  }

  #finish(): void {
    let bytes = Buffer.concat(this.#parts).subarray(0, this.#maxBytes);
    if (bytes.at(-1) === CR) bytes = bytes.subarray(0, -1);
    const isCut = this.#skipping;
    this.#parts = [];
    this.#size = 0;
    this.#skipping = false;
    let line = bytes.toString('utf8');
    if (this.#first && line.startsWith(BOM)) line = line.slice(1);
    this.#first = false;
    this.#onLine(line, isCut);
  }
}
