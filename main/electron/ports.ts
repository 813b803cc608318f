import { join } from 'node:path';
import { app, session } from 'electron';
import { SAMPLE_SERVER } from '../host.ts';
import type { Ports } from '../ports.ts';
import { createSecrets } from '../secrets.ts';
import { systemCipher } from './cipher.ts';
import { openLink } from './links.ts';
import { sampleServerFile } from './paths.ts';

/** What the desktop supplies to the host. Call after the app is ready. */
export function desktopPorts(dataDir: string, serversMayStart: Promise<void>): Ports {
  return {
    dataDir,
    serversMayStart,
    version: app.getVersion(),
    env: process.env,
    systemProxy: url => session.defaultSession.resolveProxy(url),
    secrets: createSecrets(join(dataDir, 'secrets.json'), systemCipher()),
    openExternal: openLink,
    bundledCommands: {
      // Electron's own binary runs plain Node programs when it is told so: no other Node is needed.
      [SAMPLE_SERVER]: {
        command: process.execPath,
        args: [sampleServerFile],
        env: { ELECTRON_RUN_AS_NODE: '1' },
      },
    },
  };
}
