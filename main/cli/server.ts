import { HostError } from '../../shared/errors.ts';
import type { Host } from '../host.ts';

/** @throws HostError when there is no such server, or it is not ready */
export function requireReady(host: Host, name: string): void {
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
