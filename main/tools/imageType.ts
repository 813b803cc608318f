/** The image types that the LLM API takes, told by their first bytes. */
const SIGNATURES: [string, (bytes: Buffer) => boolean][] = [
  [
    'image/png',
    bytes => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  ],
  ['image/jpeg', bytes => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', bytes => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1'))],
  [
    'image/webp',
    bytes =>
      bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
      bytes.subarray(8, 12).toString('latin1') === 'WEBP',
  ],
];

/** Clean base64 and the type its bytes really have; undefined when it is no image that a model can look at. */
export function readImage(data: string): { mimeType: string; data: string } | undefined {
  const base64 = data.replace(/^data:[^,]*,/, '').replace(/\s+/g, '');
  const start = Buffer.from(base64.slice(0, 32), 'base64');
  const mimeType = SIGNATURES.find(([, matches]) => matches(start))?.[0];
  if (!mimeType) return undefined;
  // One character that is none in base64, and the LLM API refuses the whole conversation.
  const isClean = base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64);
  return { mimeType, data: isClean ? base64 : Buffer.from(base64, 'base64').toString('base64') };
}

/** The most that the LLM API takes of one picture: https://platform.claude.com/docs/en/build-with-claude/vision */
const MOST_BASE64 = 5 * 1024 * 1024;
const LONGEST_SIDE = 8000;

/** Why the LLM API would refuse the picture, and with it the conversation; undefined when it takes it. */
export function imageProblem({ mimeType, data }: { mimeType: string; data: string }): string | undefined {
  if (data.length > MOST_BASE64) return 'more than 5 MB as base64';
  const size = sizeOf(mimeType, Buffer.from(data, 'base64'));
  if (!size || Math.max(...size) <= LONGEST_SIDE) return undefined;
  return `${size.join(' × ')} pixels where ${LONGEST_SIDE} are the most`;
}

/** Width and height as the head of the file says; undefined when it does not. */
function sizeOf(mimeType: string, bytes: Buffer): [number, number] | undefined {
  if (mimeType === 'image/png' && bytes.length >= 24) return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (mimeType === 'image/gif' && bytes.length >= 10) return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  if (mimeType === 'image/webp') return webpSize(bytes);
  return mimeType === 'image/jpeg' ? jpegSize(bytes) : undefined;
}

function webpSize(bytes: Buffer): [number, number] | undefined {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
    }
    default:
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  }
}

/** In the segment that begins a frame; those before it say how long they are. */
function jpegSize(bytes: Buffer): [number, number] | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    const beginsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (beginsFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
  }
  return undefined;
}
