import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { defaultDataDir } from './dataDir.ts';

it.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
  ['linux', {}, `${homedir()}/.config/Parley`],
  ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/Parley'],
  ['darwin', { XDG_CONFIG_HOME: '/x' }, `${homedir()}/Library/Application Support/Parley`],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Parley'],
])('on %s with %j it is %s, like the app', (platform, env, dir) => {
  expect(defaultDataDir(platform, env)).toBe(dir);
});
