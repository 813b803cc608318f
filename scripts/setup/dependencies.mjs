import { readFileSync, rmSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { runNpm } from './run.mjs';
import { SetupError, say } from './say.mjs';

/** @typedef {{ packages: Record<string, { version?: string, integrity?: string, optional?: boolean, devOptional?: boolean, link?: boolean }> }} Lock */

const installedFile = inRoot('node_modules/.package-lock.json');

/** Runs `npm ci` unless `node_modules` already holds what `package-lock.json` says. */
export async function ensureDependencies() {
  if (isInstalled(readLock(inRoot('package-lock.json')), readLock(installedFile))) return;
  say('installing the packages of package-lock.json (npm ci)');
  // npm writes this file last: without it an interrupted run is seen as such.
  rmSync(installedFile, { force: true });
  const { code } = await runNpm(['ci', '--prefer-offline', '--loglevel=error'], { output: 'stderr' });
  if (code !== 0) {
    throw new SetupError(
      `npm ci failed (exit ${code}).`,
      'See the lines above; a package registry must be reachable. Then run the same command again.',
    );
  }
}

/**
 * Whether an installed tree (npm's own record of it) holds every package of the lock file. Compared by content:
 * the times of the two files say nothing in a fresh clone. Optional packages may be absent, for they
 * are left out on the platforms they are not made for.
 * @param {Lock | undefined} wanted
 * @param {Lock | undefined} installed
 */
export function isInstalled(wanted, installed) {
  if (!wanted || !installed) return false;
  const names = Object.keys(wanted.packages).filter(name => name !== '');
  if (Object.keys(installed.packages).some(name => !(name in wanted.packages))) return false;
  return names.every(name => {
    const want = wanted.packages[name];
    const have = installed.packages[name];
    if (!have) return Boolean(want?.optional || want?.devOptional);
    return have.version === want?.version && have.integrity === want?.integrity;
  });
}

/** @param {string} file @returns {Lock | undefined} */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}
