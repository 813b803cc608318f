import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';
import { run } from '../setup/run.mjs';

/** A file that breaks a rule, what it imports, and the rule. */
const breaches: [file: string, imported: string, rule: string][] = [
  ['shared/a.ts', '../main/host.ts', 'shared-imports-nothing-of-ours'],
  ['preload/a.ts', '../main/ports.ts', 'window-imports-only-shared'],
  ['renderer/a.tsx', '../main/host.ts', 'window-imports-only-shared'],
  ['renderer/b.ts', '../preload/index.ts', 'window-imports-only-shared'],
  ['main/a.ts', '../renderer/ok.ts', 'main-imports-only-shared'],
  ['main/host.ts', './electron/window.ts', 'main-host-imports-downwards'],
  ['main/modelAccess.ts', './cli.ts', 'main-host-imports-downwards'],
  ['main/electron/a.ts', '../cli.ts', 'main-electron-imports-downwards'],
  ['main/cli.ts', './electron/window.ts', 'main-cli-imports-downwards'],
  ['main/chat/a.ts', '../host.ts', 'main-chat-imports-downwards'],
  ['main/chat/b.ts', '../modelAccess.ts', 'main-chat-imports-downwards'],
  ['main/tools/a.ts', '../chat/ok.ts', 'main-tools-imports-downwards'],
  ['main/servers/a.ts', '../tools/ok.ts', 'main-servers-imports-downwards'],
  ['main/consent/a.ts', '../servers/ok.ts', 'main-consent-imports-downwards'],
  ['main/leaf.ts', './consent/ok.ts', 'main-leaves-import-no-layer'],
  ['main/host2.ts', './unknown/ok.ts', 'only-known-layers-in-main'],
  ['assets/sample-server/a.ts', '../../shared/ok.ts', 'sample-server-stands-alone'],
  ['main/servers/b.ts', 'electron', 'electron-only-in-main-electron'],
  ['main/servers/b.test.ts', 'electron', 'electron-only-in-main-electron'],
  ['renderer/c.ts', 'electron', 'electron-only-in-main-electron'],
  ['shared/cycle.ts', './cycle2.ts', 'no-cycles'],
];

/** What is right, so that the rules are not merely against everything. */
const allowed: [file: string, imported: string][] = [
  ['main/electron/window.ts', 'electron'],
  ['main/electron/ok.ts', '../host.ts'],
  ['main/chat/ok.ts', '../tools/ok.ts'],
  ['main/tools/ok.ts', '../servers/ok.ts'],
  ['main/servers/ok.ts', '../consent/ok.ts'],
  ['main/servers/ok.test.ts', '../tools/ok.ts'],
  ['main/consent/ok.ts', '../ports.ts'],
  ['main/ports.ts', '../shared/ok.ts'],
  ['preload/index.ts', 'electron'],
  ['renderer/ok.ts', '../shared/ok.ts'],
  ['shared/cycle2.ts', './cycle.ts'],
];

let dir: string;
let found: { from: string; rule: { name: string } }[];

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'parley-rule-'));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  };
  write('main/unknown/ok.ts', 'export type T = 1;');
  write('shared/ok.ts', 'export type T = 1;');
  // Imports of types count as much as those of values.
  for (const [file, imported] of [...breaches, ...allowed])
    write(file, `export type { T } from '${imported}';`);
  write('tsconfig.json', '{ "compilerOptions": { "allowImportingTsExtensions": true, "noEmit": true } }');
  symlinkSync(inRoot('node_modules'), path.join(dir, 'node_modules'));
  const { output } = await run(
    process.execPath,
    [
      inRoot('node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      ...['--config', inRoot('.dependency-cruiser.cjs'), '--output-type', 'json', '.'],
    ],
    { cwd: dir, output: 'capture' },
  );
  found = JSON.parse(output).summary.violations;
});

afterAll(() => rmSync(dir, { recursive: true }));

it.each(breaches)('%s must not import %s (%s)', (file, _, rule) => {
  expect(found.filter(one => one.from === file).map(one => one.rule.name)).toContain(rule);
});

it.each(allowed.filter(([file]) => !file.startsWith('shared/cycle')))('%s may import %s', file => {
  expect(found.filter(one => one.from === file)).toEqual([]);
});
