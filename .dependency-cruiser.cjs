// Who may import whom: the layers of Parley. Checked by `npm run check`.
// In main, downwards only: electron, cli -> host -> archive -> chat -> tools -> servers -> consent, network.

/**
 * The layers and what each may import, beside itself, `shared` and main's leaves. A layer is a folder or a file
 * of that name, or of one of the names in `files`.
 */
const layers = {
  electron: { below: ['host', 'archive', 'chat', 'tools', 'servers', 'consent', 'network'] },
  cli: { below: ['host', 'archive', 'chat', 'tools', 'servers', 'consent', 'network'] },
  host: {
    below: ['archive', 'chat', 'tools', 'servers', 'consent', 'network'],
    files: ['hostHandlers', 'modelAccess'],
  },
  archive: { below: ['chat'] },
  chat: { below: ['tools', 'servers', 'consent', 'network'] },
  tools: { below: ['servers', 'consent', 'network'] },
  servers: { below: ['consent', 'network'] },
  consent: { below: [] },
  network: { below: [] },
};

const tests = '\\.test\\.tsx?$';
const anyLayer = pathOf(Object.keys(layers));

const layerRules = Object.entries(layers).map(([layer, { below }]) => ({
  name: `main-${layer}-imports-downwards`,
  comment: `It may import ${[...below, 'shared'].join(', ')} and main's leaves (ports.ts, …), nothing above it.`,
  severity: 'error',
  from: { path: pathOf([layer]), pathNot: tests },
  to: { path: anyLayer, pathNot: pathOf([layer, ...below]) },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'main-leaves-import-no-layer',
      comment:
        'Files directly in main/ that are no layer (ports.ts, …) are for every layer, so they import none.',
      severity: 'error',
      from: { path: '^main/[^/]+\\.ts$', pathNot: `${anyLayer}|${tests}` },
      to: { path: anyLayer },
    },
    {
      name: 'only-known-layers-in-main',
      comment: 'A new folder in main/ needs its place among the layers above.',
      severity: 'error',
      from: {},
      to: { path: '^main/[^/]+/', pathNot: anyLayer },
    },
    {
      name: 'shared-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(main|preload|renderer|e2e|bench|scripts|assets)/' },
    },
    {
      name: 'window-imports-only-shared',
      comment: 'preload and renderer reach main through the contract in shared/ipc.ts alone.',
      severity: 'error',
      from: { path: '^(preload|renderer)/', pathNot: tests },
      to: { path: '^(main|preload|renderer|e2e|bench|scripts|assets)/', pathNot: '^$1/' },
    },
    {
      name: 'main-imports-only-shared',
      severity: 'error',
      from: { path: '^main/', pathNot: tests },
      to: { path: '^(preload|renderer|e2e|bench|scripts|assets)/' },
    },
    {
      name: 'sample-server-stands-alone',
      severity: 'error',
      from: { path: '^assets/sample-server/', pathNot: tests },
      to: { path: '^(main|preload|renderer|shared|e2e|bench|scripts)/' },
    },
    {
      name: 'electron-only-in-main-electron',
      comment: 'The host needs no Electron; preload is the other half of its bridge.',
      severity: 'error',
      from: { pathNot: '^(main/electron|preload|e2e|bench|scripts/setup/defaultApp)/' },
      to: { path: '(^|/)node_modules/electron/|^electron($|/)' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    includeOnly:
      '^(main|preload|renderer|shared|assets|scripts|e2e|bench)/|node_modules/electron/|^electron$',
    exclude: '(^|/)(dist|release|test-results)/',
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types count too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};

function pathOf(names) {
  const files = names.flatMap(name => [name, ...(layers[name].files ?? [])]);
  return `^main/(${files.join('|')})(/|\\.ts$)`;
}
