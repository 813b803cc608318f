import { describe, expect, it } from 'vitest';
import { ATTACHMENT_LIMITS } from '../../shared/attachments.ts';
import { checkTogether, readFile, wellFormed } from './readFile.ts';

const bytes = (hex: string) => new Uint8Array(hex.match(/../g)?.map(pair => Number.parseInt(pair, 16)) ?? []);

describe('a file that is attached', () => {
  it('is told by its bytes, whatever it is called', async () => {
    const png = new File([bytes('89504e470d0a1a0a0000000d49484452')], 'x.txt', { type: 'text/plain' });
    expect(await readFile(png)).toMatchObject({ type: 'image', mimeType: 'image/png', name: 'x.txt' });
    expect(await readFile(new File(['%PDF-1.7 …'], 'x.png'))).toMatchObject({ type: 'document' });
    expect(await readFile(new File(['<svg/>'], 'x.svg', { type: 'image/svg+xml' }))).toMatchObject({
      type: 'attachment',
      text: '<svg/>',
    });
  });

  it('is read in any Unicode, with line ends as they are here', async () => {
    const wide = new File([bytes('fffe61003cd89edf')], 'a');
    expect(await readFile(wide)).toMatchObject({ text: 'a🎞' });
    expect(await readFile(new File(['a\r\nb\rc'], 'a'))).toMatchObject({ text: 'a\nb\nc' });
  });

  it('is refused in words when no model reads it or when it is too big', async () => {
    await expect(readFile(new File([bytes('504b0304ff00fe')], 'x.zip'))).rejects.toThrow(
      '“x.zip” is of a kind',
    );
    const big = new File([bytes('ffd8ff'), new Uint8Array(ATTACHMENT_LIMITS.image)], 'big.jpg');
    await expect(readFile(big)).rejects.toThrow('“big.jpg” is 3.9 MB; a picture may have up to 3.9 MB.');
  });

  it('finds no place where there are too many, or where all are too much', () => {
    const text = { type: 'attachment' as const, name: 'a', text: 'x'.repeat(4_000_000) };
    expect(() => checkTogether(Array(5).fill(text))).not.toThrow();
    expect(() => checkTogether(Array(6).fill(text))).toThrow('24.0 MB together');
    expect(() => checkTogether(Array(21).fill({ ...text, text: '' }))).toThrow('up to 20');
  });
});

describe('text that is sent', () => {
  it('has Unix line ends and nothing that cannot be encoded', () => {
    expect(wellFormed('a\r\nb\rc\u0000\ud800')).toBe('a\nb\nc\ufffd');
  });
});
