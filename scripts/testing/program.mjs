// Programs of the tests and benchmarks that run outside the test runner, each built into one file.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { build } from 'vite';
import { inRoot } from '../setup/paths.mjs';

/**
 * Builds TypeScript programs into a new folder, each as `<its name>.js` for Node.
 * @param {...string} entries paths in the checkout
 * @returns {Promise<{ dir: string, remove(): void }>}
 */
export async function buildPrograms(...entries) {
  // Below node_modules, so that what is not bundled (libsql) is found from there.
  mkdirSync(inRoot('node_modules/.cache'), { recursive: true });
  const dir = mkdtempSync(inRoot('node_modules/.cache/parley-program-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    root: inRoot(),
    define: { 'process.env.NODE_ENV': '"production"', __filename: 'import.meta.filename' },
    ssr: { noExternal: true, external: ['libsql'], resolve: { conditions: ['node', 'import', 'default'] } },
    build: {
      ssr: true,
      outDir: dir,
      minify: false,
      copyPublicDir: false,
      target: 'node20.18',
      rolldownOptions: { input: entries.map(entry => inRoot(entry)) },
    },
  });
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
