import { deflateSync } from 'node:zlib';

/** A colour as red, green, blue from 0 to 255. */
export type Colour = readonly [number, number, number];

/** A picture in memory that one draws on and turns into a PNG. */
export class Canvas {
  readonly #pixels: Buffer;

  constructor(
    readonly width: number,
    readonly height: number,
    background: Colour,
  ) {
    this.#pixels = Buffer.alloc(width * height * 3, Buffer.from(background));
  }

  /** Fills a rectangle; what lies outside the picture is cut off. */
  fill(left: number, top: number, width: number, height: number, colour: Colour): void {
    for (let y = Math.max(0, top); y < Math.min(this.height, top + height); y++)
      for (let x = Math.max(0, left); x < Math.min(this.width, left + width); x++)
        this.#pixels.set(colour, (y * this.width + x) * 3);
  }

  /** The PNG file (https://www.w3.org/TR/png-3/): 8 bits for each of red, green and blue, rows not filtered. */
  toPng(): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.width, 0);
    header.writeUInt32BE(this.height, 4);
    header.set([8, 2, 0, 0, 0], 8);

    const rowLength = this.width * 3;
    const rows = Buffer.alloc((rowLength + 1) * this.height);
    for (let y = 0; y < this.height; y++)
      this.#pixels.copy(rows, y * (rowLength + 1) + 1, y * rowLength, (y + 1) * rowLength);

    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function crc32(data: Buffer): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
