import { expect, it } from 'vitest';
import { imageProblem } from './imageType.ts';

const problem = (mimeType: string, bytes: Buffer) =>
  imageProblem({ mimeType, data: bytes.toString('base64') });

it('a picture that the API would refuse is known by the head of its file, in every format', () => {
  const png = (width: number) => {
    const bytes = Buffer.alloc(40);
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(10, 20);
    return problem('image/png', bytes);
  };
  expect(png(8000)).toBeUndefined();
  expect(png(8001)).toBe('8001 × 10 pixels where 8000 are the most');

  const gif = Buffer.alloc(20);
  gif.writeUInt16LE(9000, 8);
  expect(problem('image/gif', gif)).toContain('0 × 9000');

  // A segment of 6 bytes before the one that begins the frame.
  const jpeg = Buffer.from('ffd8 ffe0 0006 00000000 ffc2 0011 08 2710 0064 03'.replaceAll(' ', ''), 'hex');
  expect(problem('image/jpeg', jpeg)).toContain('100 × 10000');
  expect(problem('image/jpeg', jpeg.subarray(0, 8))).toBeUndefined();

  const webp = (kind: string, at: number, bits: string) => {
    const bytes = Buffer.alloc(40);
    bytes.write(`RIFF....WEBP${kind}`, 'latin1');
    bytes.write(bits, at, 'hex');
    return problem('image/webp', bytes);
  };
  expect(webp('VP8X', 24, '3f1f000f0000')).toBeUndefined();
  expect(webp('VP8X', 24, '401f000f0000')).toContain('8001 × 16');
  expect(webp('VP8L', 21, 'ff3f0000')).toContain('16384 × 1');
  expect(webp('VP8 ', 26, '10270a00')).toContain('10000 × 10');

  expect(problem('image/png', Buffer.alloc(4_000_000))).toContain('5 MB');
});
