import { shell } from 'electron';
import { HostError } from '../../shared/errors.ts';

const ALLOWED = new Set(['http:', 'https:', 'mailto:']);

/** Hands a link to the system's own program; every scheme that could start something else is refused. */
export async function openLink(url: string): Promise<void> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !ALLOWED.has(parsed.protocol)) {
    throw new HostError('link.scheme', 'Parley opens only http, https and mailto links.');
  }
  await shell.openExternal(parsed.href);
}
