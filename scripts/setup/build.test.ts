import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOf } from './build.mjs';

describe('hashOf', () => {
  let dir: string;
  const write = (file: string, text: string) => writeFileSync(path.join(dir, file), text);
  const hash = () => hashOf(dir, ['main', 'package.json', 'absent']);
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'parley-hash-'));
    mkdirSync(path.join(dir, 'main/deep'), { recursive: true });
    write('main/deep/a.ts', '1');
    write('package.json', '{}');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('is the same for the same sources, whatever their times', () => {
    const before = hash();
    write('main/deep/a.ts', '1');
    expect(hash()).toBe(before);
  });

  it.each([
    ['a file changes', () => write('main/deep/a.ts', '2')],
    ['a file appears', () => write('main/b.ts', '')],
    ['a file vanishes', () => rmSync(path.join(dir, 'package.json'))],
  ])('differs when %s', (_, change) => {
    const before = hash();
    change();
    expect(hash()).not.toBe(before);
  });

  it('does not count tests and hidden files', () => {
    const before = hash();
    write('main/deep/a.test.ts', '');
    write('main/.a.ts.swp', '');
    expect(hash()).toBe(before);
  });
});
