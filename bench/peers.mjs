// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../scripts/setup/paths.mjs';
import { runNpm } from '../scripts/setup/run.mjs';

const stamp = inRoot('bench/peers/node_modules/.parley-bench');

/** Installs what Parley is measured beside, where it is not there as locked. */
export async function ensurePeers() {
  const locked = createHash('sha256')
    .update(readFileSync(inRoot('bench/peers/package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === locked) return;
  const { code } = await runNpm(['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: inRoot('bench/peers'),
  });
  if (code !== 0) throw new Error('The peers could not be installed.');
  writeFileSync(stamp, locked);
}
