import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../../e2e/support/host.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import { openDatabase } from '../database.ts';
import { Eras } from './eras.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const CONFIG: ServerConfig = { type: 'stdio', command: 'x', args: ['1'], env: { TOKEN: 'a' } };
const MODERN = {
  kind: 'modern' as const,
  discover: {
    supportedVersions: ['2026-07-28'],
    capabilities: {},
    serverInfo: { name: 's', version: '1' },
    ttlMs: 0,
    cacheScope: 'private' as const,
  },
};

describe('a verdict', () => {
  it('is known again, also by another process', async () => {
    const { db, eras } = await openEras();
    expect(eras.recall(CONFIG)).toBeUndefined();
    eras.remember(CONFIG, MODERN);
    expect(new Eras(db).recall(CONFIG)).toEqual(MODERN);
  });

  it('for legacy holds for a week and no longer, for modern until it proves wrong', async () => {
    const { eras, later } = await openEras();
    const other: ServerConfig = { ...CONFIG, command: 'modern' };
    eras.remember(CONFIG, { kind: 'legacy' });
    eras.remember(other, MODERN);
    later(7 * DAY_MS - 1000);
    expect(eras.recall(CONFIG)).toEqual({ kind: 'legacy' });
    later(2000);
    expect(eras.recall(CONFIG)).toBeUndefined();
    later(365 * DAY_MS);
    expect(eras.recall(other)).toEqual(MODERN);
    eras.forget(other);
    expect(eras.recall(other)).toBeUndefined();
  });

  it.each<[string, ServerConfig, boolean]>([
    ['another value of a variable', { ...CONFIG, env: { TOKEN: 'b' } }, true],
    ['another time limit', { ...CONFIG, timeoutMs: 5 }, true],
    ['another argument', { ...CONFIG, args: ['2'] }, false],
    ['another command', { ...CONFIG, command: 'y' }, false],
    ['another folder', { ...CONFIG, cwd: '/tmp' }, false],
    ['an address', { type: 'http', url: 'https://a.test/' }, false],
  ])('and %s', async (_what, config, isSame) => {
    const { eras } = await openEras();
    eras.remember(CONFIG, MODERN);
    expect(eras.recall(config) !== undefined).toBe(isSame);
  });

  it('never writes a secret into the database', async () => {
    const { db, eras } = await openEras();
    eras.remember(
      { type: 'http', url: 'https://a.test/', headers: { Authorization: 'very-secret' } },
      MODERN,
    );
    expect(JSON.stringify(db.prepare('SELECT * FROM server_eras').all())).not.toContain('very-secret');
  });
});

/** Eras on a database of their own and a clock that `later` moves. */
async function openEras() {
  const { path, remove } = await tempDir();
  const db = openDatabase(join(path, 'parley.db'));
  onTestFinished(async () => {
    db.close();
    await remove();
  });
  let now = Date.now();
  const eras = new Eras(db, () => now);
  return {
    db,
    eras,
    later: (ms: number) => {
      now += ms;
    },
  };
}
