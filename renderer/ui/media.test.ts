import { describe, expect, it } from 'vitest';
import { dataUri, decodedSize, sizeInWords } from './media.ts';

describe('media of tool results', () => {
  it('shows an image by its true type, without the prefix some servers send', () => {
    expect(dataUri('R0lGODlhAQABAIAAAP', 'image/png', 'image')).toBe(
      'data:image/gif;base64,R0lGODlhAQABAIAAAP',
    );
    expect(dataUri('data:image/png;base64,iVBORw0KGgoAAAA', 'image/jpeg', 'image')).toMatch(
      /^data:image\/png;base64,iVBOR/,
    );
  });

  it('shows neither SVG nor what is no image nor an unknown kind of sound', () => {
    expect(dataUri('PHN2Zz48L3N2Zz4=', 'image/svg+xml', 'image')).toBeUndefined();
    expect(dataUri('bm90IGFuIGltYWdl', 'image/png', 'image')).toBeUndefined();
    expect(dataUri('', 'image/png', 'image')).toBeUndefined();
    expect(dataUri('AAAA', 'text/html', 'audio')).toBeUndefined();
    expect(dataUri('AAAA', 'audio/wav', 'audio')).toBe('data:audio/wav;base64,AAAA');
  });

  it('counts the bytes behind base64', () => {
    expect(decodedSize(btoa('12345'))).toBe(5);
    expect(sizeInWords(999)).toBe('999 bytes');
    expect(sizeInWords(1500)).toBe('1.5 kB');
    expect(sizeInWords(2_000_000)).toBe('2.0 MB');
  });
});
