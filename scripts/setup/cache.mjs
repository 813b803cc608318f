// What set-up makes from downloads, kept in the cache where every checkout finds it.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isAlive } from './lock.mjs';
import { cacheDir } from './paths.mjs';
import { runNpm } from './run.mjs';
import { SetupError, say } from './say.mjs';

/**
 * @typedef {object} Cached
 * @property {string} name with its version, such as `electron-33.2.1`
 * @property {number} revision counts up when the making changes, so that a copy made by the old way is made anew
 *
 * @typedef {object} Package
 * @property {string} spec name and exact version
 * @property {string} integrity its hash as package locks write it
 * @property {number} megabytes
 * @property {string} otherwise what the person can do where it cannot be had
 */

/**
 * Makes a folder in the cache unless it is there.
 * @param {Cached} what
 * @param {(workDir: string) => Promise<string>} make makes it somewhere in an empty folder and tells where
 * @returns {Promise<string>} the folder
 */
export async function ensureCached({ name, revision }, make) {
  const target = path.join(cacheDir, `${name}-r${revision}`);
  if (existsSync(target)) return target;
  removeLeftovers(name, target);
  // Made beside its place and then renamed: what stands under the final name is always complete.
  const workDir = path.join(cacheDir, `.${path.basename(target)}-${process.pid}`);
  mkdirSync(workDir, { recursive: true });
  try {
    moveInto(target, await make(workDir));
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
  return target;
}

/**
 * Downloads a package as it was tested. @param {Package} wanted @param {string} workDir
 * @returns {Promise<string>} its archive
 */
export async function downloadPackage({ spec, integrity, megabytes, otherwise }, workDir) {
  say(`downloading ${spec} (${megabytes} MB, once)`);
  const { code, output } = await runNpm(
    ['pack', spec, '--pack-destination', workDir, '--prefer-offline', '--loglevel=error'],
    { output: 'capture', cwd: workDir },
  );
  const file = readdirSync(workDir).find(name => name.endsWith('.tgz'));
  if (code !== 0 || !file) throw new SetupError(`${spec} cannot be reached. ${output.trim()}`, otherwise);
  const archive = path.join(workDir, file);
  if ((await integrityOf(archive)) !== integrity) {
    throw new SetupError(
      `The download of ${spec} is not the file this project was tested with.`,
      'Its hash differs from the one in scripts/setup. Run `npm cache verify` and try again.',
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

/** @param {string} target @param {string} made */
function moveInto(target, made) {
  try {
    renameSync(made, target);
  } catch (error) {
    // Another checkout's set-up was faster.
    if (!existsSync(target)) throw error;
  }
}

/** Removes what interrupted runs and older revisions left. @param {string} name @param {string} target */
function removeLeftovers(name, target) {
  if (!existsSync(cacheDir)) return;
  for (const entry of readdirSync(cacheDir)) {
    const [, pid] = entry.startsWith(`.${name}-`) ? (/-(\d+)$/.exec(entry) ?? []) : [];
    const old = entry.startsWith(`${name}-r`) && entry !== path.basename(target);
    if (old || (pid && !isAlive(Number(pid)))) rmSync(path.join(cacheDir, entry), { recursive: true });
  }
}
