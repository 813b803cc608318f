import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import which from 'which';
import { HostError } from '../../shared/errors.ts';
import type { StdioServerConfig } from '../../shared/servers.ts';
import type { Ports } from '../ports.ts';
import { baseEnvironment, environment } from './loginEnv.ts';

/** Everything that is needed to start a local server. */
export interface Launch {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/**
 * Turns an entry of servers.json into what will be started: bundled words and `~` resolved, the command found in the
 * login shell's PATH, the folder checked, the environment reduced to what a server may know.
 * @throws HostError that tells a missing command from a missing folder.
 */
export async function prepareLaunch(config: StdioServerConfig, ports: Ports): Promise<Launch> {
  const base = await baseEnvironment(ports.env, ports.envIsFromShell);
  const cwd = config.cwd ? resolve(expandHome(config.cwd)) : homedir();
  if (!existsSync(cwd) || !statSync(cwd).isDirectory()) {
    throw new HostError(
      'server.cwd',
      `The working directory ${cwd} does not exist.`,
      'Create it, or change the directory under Edit.',
    );
  }
  const bundled = ports.bundledCommands[config.command];
  const args = config.args ?? [];
  if (bundled) {
    const env = environment(base, bundled.env, config.env ?? {});
    return { command: bundled.command, args: [...bundled.args, ...args], env, cwd };
  }
  const env = environment(base, config.env ?? {});
  return { command: await find(config.command, env.PATH ?? '', cwd), args, env, cwd };
}

async function find(command: string, path: string, cwd: string): Promise<string> {
  const expanded = expandHome(command);
  const named = /[\\/]/.test(expanded) && !isAbsolute(expanded) ? join(cwd, expanded) : expanded;
  const found = await which(named, { path, nothrow: true });
  if (found) return found;
  throw new HostError(
    'server.commandNotFound',
    `The command “${command}” was not found.`,
    `Install it or give its full path under Edit. Searched: ${path}`,
  );
}

/** `~` at the beginning means the home folder. */
export function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') || path.startsWith('~\\')
    ? join(homedir(), path.slice(1))
    : path;
}
