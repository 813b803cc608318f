import { expect, it } from 'vitest';
import { understandIcons } from './icons.ts';

it('keeps pictures over https or within the list, and nothing that could run or lead elsewhere', () => {
  const png = { src: 'data:image/png;base64,iVBORw0KGgo=', theme: 'dark' };
  const far = { src: 'https://example.com/icon.png', sizes: ['48x48'] };
  expect(
    understandIcons([
      { src: 'javascript:alert(1)' },
      { src: 'data:image/svg+xml,<svg onload="alert(1)"/>' },
      { src: 'http://example.com/icon.png' },
      { src: 'file:///etc/passwd' },
      { src: `data:image/png;base64,${'A'.repeat(40_000)}` },
      7,
      png,
      far,
      png,
    ]),
  ).toEqual([png, far]);
  expect(understandIcons('no list')).toBeUndefined();
  expect(understandIcons([{ src: 'ftp://x' }])).toBeUndefined();
});
