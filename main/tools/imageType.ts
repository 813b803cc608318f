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
