// dist/ from the sources, only when they changed.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { inRoot, root } from './paths.mjs';
import { say } from './say.mjs';

/** The environments of vite.config.ts. */
const parts = ['client', 'highlighter', 'main', 'preload', 'sampleServer'];

const sources = [
  'main',
  'preload',
  'renderer',
  'shared',
  'assets/sample-server',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

/** Builds `dist/` unless it was built from these very sources. */
export async function ensureBuild() {
  const state = hashOf(root, sources);
  if (existsSync(inRoot('dist/.sources')) && readFileSync(inRoot('dist/.sources'), 'utf8') === state) return;
  say('building dist/');
  // Built aside and swapped in: a Parley that runs meanwhile, and an interruption, find a whole dist/ or none.
  const workDir = inRoot('node_modules/.cache/parley-build');
  rmSync(workDir, { recursive: true, force: true });
  mkdirSync(workDir, { recursive: true });
  process.env.PARLEY_BUILD_DIR = workDir;
  const { createBuilder } = await import('vite');
  const builder = await createBuilder({ configFile: inRoot('vite.config.ts'), logLevel: 'warn' });
  for (const part of parts)
    await builder.build(/** @type {import('vite').BuildEnvironment} */ (builder.environments[part]));

  chmodSync(path.join(workDir, 'main/cli.js'), 0o755);
  writeFileSync(path.join(workDir, '.sources'), state);
  rmSync(inRoot('dist'), { recursive: true, force: true });
  renameSync(workDir, inRoot('dist'));
}

/**
 * One hash over the named files and folders; tests and editors' hidden files do not count.
 * @param {string} base
 * @param {string[]} names relative to `base`; what does not exist counts as absent
 */
export function hashOf(base, names) {
  const hash = createHash('sha256');
  for (const name of names)
    for (const file of filesIn(base, name))
      hash.update(`${file}\0`).update(readFileSync(path.join(base, file)));
  return hash.digest('hex');
}

/** @param {string} base @param {string} name @returns {string[]} */
function filesIn(base, name) {
  const full = path.join(base, name);
  if (!existsSync(full)) return [];
  /** @type {import('node:fs').Dirent[]} */
  let entries;
  try {
    entries = readdirSync(full, { withFileTypes: true });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOTDIR') return [name];
    throw error;
  }
  return entries
    .filter(entry => !entry.name.startsWith('.') && !/\.test\.tsx?$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => filesIn(base, `${name}/${entry.name}`));
}
