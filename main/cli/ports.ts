import { join } from 'node:path';
import { version } from '../../package.json';
import { SAMPLE_SERVER } from '../host.ts';
import type { Ports } from '../ports.ts';
import { createSecrets } from '../secrets.ts';

export { version };

export interface TerminalPortsOptions {
  dataDir: string;
  serversFile?: string | undefined;
  model?: string | undefined;
  /** Tells the person where to go: a terminal opens no browser by itself. */
  showAddress(url: string): void;
}

/** What a terminal supplies to the host. */
export function terminalPorts({ dataDir, serversFile, model, showAddress }: TerminalPortsOptions): Ports {
  return {
    dataDir,
    ...(serversFile === undefined ? {} : { serversFile }),
    ...(model === undefined ? {} : { model }),
    version,
    env: process.env,
    envIsFromShell: true,
    // What the app stored is encrypted by the system for the app alone.
    secrets: createSecrets(join(dataDir, 'secrets.json')),
    openExternal: async url => showAddress(url),
    bundledCommands: {
      // This file is bundled into dist/main/.
      [SAMPLE_SERVER]: {
        command: process.execPath,
        args: [join(import.meta.dirname, '..', 'sample-server.js')],
        env: {},
      },
    },
  };
}
