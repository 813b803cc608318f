// Set-up, step by step: each says what it does in one line, does nothing when it is done, and can be interrupted
// and repeated. The scripts above take the steps they need.
import path from 'node:path';
import { hasDisplay } from './display.mjs';
import { withLock } from './lock.mjs';
import { checkoutCacheDir } from './paths.mjs';

const lockFile = path.join(checkoutCacheDir, 'setup.lock');

/** Packages and `dist/`: enough for the command line. */
export function ensureBuilt() {
  return withLock(lockFile, async () => {
    await installPackages();
    const { ensureBuild } = await import('./build.mjs');
    await ensureBuild();
  });
}

/** Packages alone: enough for `npm run check`. */
export function ensurePackages() {
  return withLock(lockFile, installPackages);
}

/**
 * Packages, Electron with what it needs from the system, and `dist/`.
 * @param {{ forTests?: boolean }} [options] tests need more programs
 * @returns {Promise<import('./electron.mjs').Electron>}
 */
export function ensureApp({ forTests = false } = {}) {
  return withLock(lockFile, async () => {
    await installPackages();
    const { ensureElectron } = await import('./electron.mjs');
    const { ensureSystemLibraries, programsOfTests } = await import('./systemLibraries.mjs');
    const { ensureBuild } = await import('./build.mjs');
    const electron = await ensureElectron();
    await ensureSystemLibraries(electron.binary, forTests ? programsOfTests(hasDisplay()) : []);
    await ensureBuild();
    return electron;
  });
}

async function installPackages() {
  const { ensureDependencies } = await import('./dependencies.mjs');
  await ensureDependencies();
}
