/** The commands that list: `servers` and `tools`. */
import type { ServerView } from '../../shared/servers.ts';
import type { ToolInfo } from '../../shared/tools.ts';
import { paint } from './output.ts';
import { exact, oneLine } from './plainText.ts';
import type { Session } from './session.ts';
import { serversSettled } from './waiting.ts';

/** Every configured server, its state and what it offers. */
export async function listServers(session: Session): Promise<number> {
  await serversSettled(session);
  const views = session.host.manager.views();
  const servers = views.map(view => ({
    name: view.name,
    state: view.state,
    era: view.era ?? null,
    eraReason: view.eraReason ?? null,
    version: view.protocolVersion ?? null,
    ...view.counts,
    error: view.error ?? null,
  }));
  session.output.result({ servers }, views.map(showServer).join('\n') || 'There are no servers yet.');
  return 0;
}

/** Every tool of every server, in the order in which a model sees them. */
export async function listTools(session: Session): Promise<number> {
  await serversSettled(session);
  const infos = session.host.registry.list();
  const tools = infos.map(({ server, name, modelName, title, description, inputSchema, enabled }) => ({
    server,
    name,
    modelName,
    title: title ?? null,
    description: description ?? null,
    inputSchema,
    enabled,
  }));
  session.output.result({ tools }, infos.map(showTool).join('\n') || 'There are no tools.');
  return 0;
}

const marks = { ready: '●', connecting: '…', failed: '✗', off: '○', stopped: '○' } as const;

function showServer({ name, state, era, protocolVersion, counts, error, notes }: ServerView): string {
  const offers = Object.entries(counts).map(
    ([kind, count]) => `${count} ${count === 1 ? kind.slice(0, -1) : kind}`,
  );
  const details = state === 'ready' ? `${era} ${protocolVersion}, ${offers.join(', ')}` : '';
  return [
    `${marks[state]} ${paint('bold', exact(name))}  ${state}${details === '' ? '' : `  ${details}`}`,
    ...(error ? [`    ${oneLine(error.message, 500)}`] : []),
    ...(error?.hint ? [`    ${oneLine(error.hint, 500)}`] : []),
    ...notes.map(note => `    ${oneLine(note, 500)}`),
  ].join('\n');
}

function showTool({ server, name, title, description, enabled, unusable }: ToolInfo): string {
  const about = [title, description].filter(text => text !== undefined && text !== '').join(': ');
  const off = unusable ? `  (cannot be used: ${oneLine(unusable)})` : enabled ? '' : '  (off)';
  return `${exact(server)}  ${paint('bold', exact(name))}${off}\n    ${oneLine(about)}`;
}
