// Parts of Parley, freshly built for one test file: tests that start its programs see the sources as they are.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inRoot } from '../setup/paths.mjs';

/**
 * Builds environments of vite.config.ts into a new folder, laid out like `dist/`.
 * @param {('main' | 'sampleServer')[]} parts
 * @returns {Promise<{ dir: string, remove(): void }>}
 */
export async function bundle(...parts) {
  // Below node_modules, so that what is not bundled (libsql) is found from there.
  mkdirSync(inRoot('node_modules/.cache'), { recursive: true });
  const dir = mkdtempSync(inRoot('node_modules/.cache/parley-test-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), ...parts], {
      env: { ...process.env, PARLEY_BUILD_DIR: dir },
    });
  } catch (error) {
    remove();
    throw error;
  }
  return { dir, remove };
}

// In a process of its own: the test runner's environment would reach the build.
if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { createBuilder } = await import('vite');
  const builder = await createBuilder({ configFile: inRoot('vite.config.ts'), logLevel: 'warn' });
  for (const part of process.argv.slice(2)) {
    await builder.build(/** @type {import('vite').BuildEnvironment} */ (builder.environments[part]));
  }
}
