import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { integrityOf } from './cache.mjs';

it('hashes a file the way package locks do', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'parley-integrity-'));
  try {
    writeFileSync(path.join(dir, 'abc'), 'abc');
    expect(await integrityOf(path.join(dir, 'abc'))).toBe(
      'sha512-3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==',
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});
