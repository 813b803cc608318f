import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from './lock.mjs';

describe('withLock', () => {
  let dir: string;
  let file: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'parley-lock-'));
    file = path.join(dir, 'deep/setup.lock');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('lets one in after the other', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise(resolve => setImmediate(resolve));
      inside--;
    };
    await Promise.all([withLock(file, work), withLock(file, work), withLock(file, work)]);
    expect(most).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  it('is free again after a failure', async () => {
    await expect(withLock(file, async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await withLock(file, async () => 'done')).toBe('done');
  });

  it('takes over from a process that was killed while it held the lock', async () => {
    const holder = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { withLock } from ${JSON.stringify(new URL('./lock.mjs', import.meta.url).href)};
       await withLock(${JSON.stringify(file)}, () => { console.log('held'); return new Promise(() => {}); });`,
    ]);
    await once(holder.stdout, 'data');
    expect(existsSync(file)).toBe(true);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    expect(await withLock(file, async () => 'done')).toBe('done');
  });

  it('takes over from a dead process whose number another process has now', async () => {
    await withLock(file, async () => undefined);
    writeFileSync(file, String(process.pid));
    utimesSync(file, 0, 0);
    expect(await withLock(file, async () => 'done')).toBe('done');
  });
});
