import { expect, it } from 'vitest';
import { fileName } from './fileName.ts';

it('keeps all words of a title and leads nowhere else', () => {
  expect(fileName('either/or: a \\ b?.md')).toBe('either_or_ a _ b_.md');
  expect(fileName('../../etc/passwd')).toBe('_.._etc_passwd');
  expect(fileName('.hidden')).toBe('hidden');
  expect(fileName('invoice\u202Efdp.exe')).toBe('invoice_fdp.exe');
  expect(fileName(' .. ')).toBe('resource');
});

it('shortens the words and keeps the ending', () => {
  const long = fileName(`${'x'.repeat(113)}😀${'y'.repeat(200)}.json`);
  expect(long).toBe(`${'x'.repeat(113)}😀.json`);
  expect(fileName(`${'x'.repeat(114)}😀y.json`)).toBe(`${'x'.repeat(114)}.json`);
});
