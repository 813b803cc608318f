import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the checkout. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Absolute path of something in the checkout. @param {...string} parts */
export const inRoot = (...parts) => path.join(root, ...parts);

/** Where set-up keeps what can be fetched again: `~/.cache/parley` or the system's equivalent. */
export const cacheDir = path.join(
  process.env.XDG_CACHE_HOME ||
    (process.platform === 'win32' && process.env.LOCALAPPDATA) ||
    path.join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache'),
  'parley',
);

/** Files that concern this checkout alone (locks, remembered attempts), apart from other checkouts' ones. */
export const checkoutCacheDir = path.join(
  cacheDir,
  'checkouts',
  createHash('sha256').update(root).digest('hex').slice(0, 16),
);
