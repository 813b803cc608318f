import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions, type Plugin, type Rolldown } from 'vite';

const inRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Where `scripts/build.mjs` builds, before it becomes `dist/`. */
const outDir = process.env.PARLEY_BUILD_DIR ?? inRoot('dist');

/** Each bundle comes with the licenses of what is in it. */
const thirdPartyLicenses = { fileName: 'third-party-licenses.md' };

/** Tells which packages are in which script of the window, for the test of what the first screen loads. */
const packagesOfScripts: Plugin = {
  name: 'parley:packages',
  applyToEnvironment: ({ name }) => name === 'client' || name === 'highlighter',
  generateBundle(_options, bundle) {
    const packages = Object.values(bundle).flatMap(file =>
      file.type === 'chunk'
        ? [[file.fileName, [...new Set(file.moduleIds.flatMap(packageOf))]] as const]
        : [],
    );
    const source = JSON.stringify(Object.fromEntries(packages), null, 1);
    this.emitFile({ type: 'asset', fileName: 'packages.json', source });
  },
};

function packageOf(module: string): string[] {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module) ?? [];
  return name === undefined ? [] : [name];
}

/** Node code: everything bundled but Electron, Node's own modules and libsql, which is a native addon. */
function nodeBundle(
  input: Record<string, string>,
  folder: string,
  output: Rolldown.OutputOptions,
): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: {
      noExternal: true,
      external: ['electron', 'libsql'],
      conditions: ['node', 'import', 'default'],
    },
    define: {
      'process.env.NODE_ENV': JSON.stringify('production'),
      // CommonJS packages in an ES bundle ask where they are.
      __filename: 'import.meta.filename',
    },
    build: {
      // Node 20.18 is in the oldest Electron that Parley runs on, 33.
      target: 'node20.18',
      outDir: `${outDir}/${folder}`,
      emptyOutDir: folder !== '',
      minify: false,
      license: thirdPartyLicenses,
      copyPublicDir: false,
      rolldownOptions: { input, output, external: ['electron', 'libsql'] },
    },
  };
}

/** The fonts of formulas come in three formats, of which Chromium takes the first. */
const onlyWoff2: Plugin = {
  name: 'only-woff2',
  enforce: 'pre',
  transform: (code, id) =>
    /katex\.css/.test(id) ? code.replaceAll(/, url\([^)]+\) format\("(?:woff|truetype)"\)/g, '') : undefined,
};

export default defineConfig({
  root: inRoot('renderer'),
  // The window loads its page from a file.
  base: './',
  publicDir: false,
  plugins: [react(), onlyWoff2, packagesOfScripts],
  builder: {},
  environments: {
    client: {
      build: {
        target: 'chrome130',
        outDir: `${outDir}/renderer`,
        emptyOutDir: true,
        // An inline script or data: font would need holes in the content security policy.
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        license: thirdPartyLicenses,
        reportCompressedSize: false,
        chunkSizeWarningLimit: 2_000,
      },
    },
    // The worker that colours code beside the window: a bundle of its own, with its licenses.
    highlighter: {
      consumer: 'server',
      resolve: { noExternal: true, conditions: ['browser', 'import', 'default'] },
      build: {
        target: 'chrome130',
        outDir: `${outDir}/renderer/highlighter`,
        emptyOutDir: true,
        minify: true,
        license: thirdPartyLicenses,
        copyPublicDir: false,
        rolldownOptions: {
          input: inRoot('renderer/chat/highlight/worker.ts'),
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
    main: nodeBundle({ electron: inRoot('main/electron/index.ts'), cli: inRoot('main/cli.ts') }, 'main', {
      format: 'es',
      entryFileNames: '[name].js',
      // Flat, so that `../` of import.meta.url is dist/ in every chunk.
      chunkFileNames: '[name]-[hash].js',
      banner: chunk => (chunk.name === 'cli' && chunk.isEntry ? '#!/usr/bin/env node' : ''),
    }),
    preload: nodeBundle({ index: inRoot('preload/index.ts') }, 'preload', {
      // A sandboxed preload script is one CommonJS file.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      codeSplitting: false,
    }),
    sampleServer: nodeBundle({ 'sample-server': inRoot('assets/sample-server/index.ts') }, '', {
      format: 'es',
      entryFileNames: '[name].js',
      codeSplitting: false,
    }),
  },
});
