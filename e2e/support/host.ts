import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Ports, Secrets } from '../../main/ports.ts';

const require = createRequire(import.meta.url);

/** The started file of a reference server from npm, such as `everything`. */
export function referenceServer(name: 'everything' | 'filesystem' | 'memory'): string {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return join(dirname(manifest), 'dist', 'index.js');
}

/** A server of ours in e2e/support/servers/. */
export function ownServer(file: string): string {
  return join(import.meta.dirname, 'servers', file);
}

/** A fresh folder and what removes it. */
export async function tempDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'parley-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Ports of a host that has neither desktop nor terminal: secrets in memory, opened URLs collected in `opened`. */
export function testPorts(dataDir: string, overrides: Partial<Ports> = {}): Ports & { opened: string[] } {
  const opened: string[] = [];
  return {
    dataDir,
    version: '0.0.0-test',
    env: process.env,
    secrets: memorySecrets(),
    bundledCommands: {},
    openExternal: async url => void opened.push(url),
    opened,
    ...overrides,
  };
}

function memorySecrets(): Secrets {
  const values = new Map<string, string>();
  return {
    encryption: false,
    get: name => {
      const value = values.get(name);
      return value === undefined ? undefined : { value, storage: 'session' };
    },
    set: (name, value) => {
      values.set(name, value);
      return 'session';
    },
    delete: name => void values.delete(name),
  };
}
