import { HostError } from '../../shared/errors.ts';
import type { Host } from '../host.ts';
import { exact } from './plainText.ts';
import type { Session } from './session.ts';
import { serversSettled } from './waiting.ts';

/**
 * Waits until the server is ready, and has the person sign in where that is all that is missing.
 * @throws HostError when there is no such server, or it is not ready
 */
export async function readyServer(session: Session, name: string): Promise<void> {
  const { manager } = session.host;
  await serversSettled(session, name);
  if (manager.views().find(view => view.name === name)?.error?.code === 'auth.required') {
    await manager.signIn(name);
    await serversSettled(session, name);
  }
  requireReady(session.host, name);
}

/** Signs in, whether that is needed or not. */
export async function signIn(session: Session, name: string): Promise<number> {
  const { host, output } = session;
  await serversSettled(session, name);
  await host.manager.signIn(name);
  await serversSettled(session, name);
  requireReady(host, name);
  output.result({ server: name, signedIn: true }, `You are signed in to ${exact(name)}.`);
  return 0;
}

/** Gives the tokens back and forgets them. */
export async function signOut(session: Session, name: string): Promise<number> {
  const { host, output } = session;
  await serversSettled(session, name);
  await host.manager.signOut(name);
  output.result({ server: name, signedIn: false }, `You are signed out of ${exact(name)}.`);
  return 0;
}

function requireReady(host: Host, name: string): void {
  const views = host.manager.views();
  const view = views.find(one => one.name === name);
  if (!view) {
    throw new HostError(
      'cli.server',
      `There is no server “${name}”.`,
      views.length > 0
        ? `There is: ${views.map(one => one.name).join(', ')}`
        : 'Add one to servers.json first.',
    );
  }
  if (view.state === 'ready') return;
  throw new HostError(
    view.error?.code ?? 'cli.server',
    `The server “${name}” is ${view.state}${view.error ? `: ${view.error.message}` : '.'}`,
    view.error?.hint,
  );
}
