import { join } from 'node:path';
import { app } from 'electron';

/** Where the built parts lie: this file is bundled into dist/main/. */
const dist = join(import.meta.dirname, '..');

export const preloadFile = join(dist, 'preload', 'index.cjs');
export const rendererRoot = join(dist, 'renderer');
export const iconFile = join(app.getAppPath(), 'assets', 'icon.png');

/** Unpacked from the archive, because it is run as a program of its own. */
export const sampleServerFile = join(dist, 'sample-server.js').replace(/\bapp\.asar\b/, 'app.asar.unpacked');
