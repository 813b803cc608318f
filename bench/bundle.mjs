// @ts-check
// What each dependency costs in the bundles of the window: bytes after minification, and after gzip on its own, in what
// the first screen loads and in what comes on demand. `node bench/bundle.mjs`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createBuilder } from 'vite';
import { inRoot } from '../scripts/setup/paths.mjs';
import { report } from './figures.mjs';

/**
 * @typedef {import('vite').Rolldown.OutputChunk} Chunk
 * @typedef {{ file: string, when: string, parts: Map<string, string> }} Measured the code of each package in a chunk
 */

const FIRST = 'first screen';
const LATER = 'on demand';
/** Of a source map's numbers. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const chunks = [...(await build('client')), ...(await build('highlighter'))];
tellPackages();
report(
  'bundle-chunks',
  'The chunks of the window, in bytes',
  chunks
    .map(({ file, when, parts }) => ({ file, when, ...sizeOf([...parts.values()].join('')) }))
    .sort((a, b) => a.when.localeCompare(b.when) || b.minified - a.minified)
    .slice(0, 20),
);

/** One bundle of vite.config.ts, as `npm run build` makes it. @param {'client' | 'highlighter'} name @returns {Promise<Measured[]>} */
async function build(name) {
  const dir = mkdtempSync(join(tmpdir(), 'parley-bundle-'));
  process.env.PARLEY_BUILD_DIR = dir;
  try {
    const builder = await createBuilder({
      configFile: inRoot('vite.config.ts'),
      logLevel: 'error',
      environments: { [name]: { build: { sourcemap: 'hidden' } } },
    });
    const environment = /** @type {import('vite').BuildEnvironment} */ (builder.environments[name]);
    const { output } = /** @type {import('vite').Rolldown.RolldownOutput} */ (
      await builder.build(environment)
    );
    const built = output.filter(file => file.type === 'chunk');
    const first = name === 'client' ? reached(built) : new Set();
    return built.map(chunk => ({
      file: chunk.fileName,
      when: first.has(chunk.fileName) ? FIRST : LATER,
      parts: partsOf(chunk),
    }));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** What the page loads without being asked for more. @param {Chunk[]} built */
function reached(built) {
  const files = new Set(built.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const file of files)
    for (const next of built.find(({ fileName }) => fileName === file)?.imports ?? []) files.add(next);
  return files;
}

/** The code of a chunk by the package that it came from, as its source map tells. @param {Chunk} chunk */
function partsOf({ code, map }) {
  /** @type {Map<string, string>} */
  const parts = new Map();
  const lines = code.split('\n');
  const add = (/** @type {string} */ owner, /** @type {string} */ piece) =>
    parts.set(owner, (parts.get(owner) ?? '') + piece);
  let source = 0;
  (map?.mappings ?? '').split(';').forEach((segments, at) => {
    const line = `${lines[at] ?? ''}\n`;
    let column = 0;
    let owner = 'bundler';
    for (const segment of segments === '' ? [] : segments.split(',')) {
      const [step = 0, sourceStep] = decode(segment);
      add(owner, line.slice(column, column + step));
      column += step;
      source += sourceStep ?? 0;
      owner = sourceStep === undefined ? 'bundler' : ownerOf(map?.sources[source] ?? '');
    }
    add(owner, line.slice(column));
  });
  return parts;
}

/** @param {string} source a path @returns the name of its package */
function ownerOf(source) {
  const inPackage = source.split('node_modules/').at(-1);
  if (inPackage === source) return source.includes('/shared/') ? 'Parley (shared)' : 'Parley (renderer)';
  return (
    inPackage
      ?.split('/')
      .slice(0, inPackage.startsWith('@') ? 2 : 1)
      .join('/') ?? ''
  );
}

/** The numbers of one segment of a source map. @param {string} segment */
function decode(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

/** @param {string} code */
function sizeOf(code) {
  return { minified: Buffer.byteLength(code), gzip: code === '' ? 0 : gzipSync(code).length };
}

function tellPackages() {
  const owners = new Set(chunks.flatMap(({ parts }) => [...parts.keys()]));
  const codeOf = (/** @type {string} */ owner, /** @type {string} */ when) =>
    chunks
      .filter(chunk => chunk.when === when)
      .map(({ parts }) => parts.get(owner) ?? '')
      .join('');
  const total = (/** @type {string} */ when) =>
    sizeOf([...owners].map(owner => codeOf(owner, when)).join(''));
  const row = (
    /** @type {string} */ name,
    /** @type {{ minified: number, gzip: number }} */ first,
    /** @type {typeof first} */ later,
  ) => ({
    package: name,
    [FIRST]: first.minified,
    [`${FIRST}, gzip`]: first.gzip,
    [LATER]: later.minified,
    [`${LATER}, gzip`]: later.gzip,
  });
  const rows = [...owners].map(owner =>
    row(owner, sizeOf(codeOf(owner, FIRST)), sizeOf(codeOf(owner, LATER))),
  );
  rows.sort((a, b) => Number(b[FIRST]) - Number(a[FIRST]) || Number(b[LATER]) - Number(a[LATER]));
  report('bundle', 'What each package costs in the window, in bytes', [
    ...rows,
    row('in all', total(FIRST), total(LATER)),
  ]);
}
