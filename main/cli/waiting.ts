import { HostError } from '../../shared/errors.ts';
import { oneLine } from './plainText.ts';
import type { Session } from './session.ts';

/** A server that downloads itself on its first start may take this long; then we go on without it. */
const patienceMs = 60_000;

/**
 * Waits until the named server, or else every server, is no longer connecting; at most a minute.
 * @throws HostError the reason why the servers file as a whole cannot be used
 */
export async function serversSettled(
  { host, output, signal }: Pick<Session, 'host' | 'output' | 'signal'>,
  name?: string,
): Promise<void> {
  const { error } = host.snapshot().serversFile;
  if (error) throw new HostError(error.code, error.message, error.hint);
  const connecting = () =>
    host.manager
      .views()
      .filter(view => view.state === 'connecting' && (name === undefined || view.name === name));
  const names = () =>
    connecting()
      .map(view => oneLine(view.name))
      .join(', ');
  if (connecting().length === 0) return;

  output.activity(`Connecting: ${names()} …`);
  await new Promise<void>(resolve => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      forget();
      resolve();
    };
    const timer = setTimeout(finish, patienceMs);
    const forget = host.events.on(() => connecting().length === 0 && finish());
    signal.addEventListener('abort', finish);
  });
  signal.throwIfAborted();
  if (connecting().length > 0) output.note(`Going on without ${names()}: still connecting.`);
}
