import type { ServerState, ServerView } from '../../shared/servers.ts';

/** The state of a server in one word or two. */
export const stateWords: Record<ServerState, string> = {
  off: 'Off',
  connecting: 'Connecting…',
  ready: 'Ready',
  failed: 'Failed',
  stopped: 'Stopped',
};

/** `3 tools · 1 prompt`; what there is none of is left out. */
export function countWords({ tools, prompts, resources }: ServerView['counts']): string {
  const counted: [number, string][] = [
    [tools, 'tool'],
    [prompts, 'prompt'],
    [resources, 'resource'],
  ];
  const words = counted
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`);
  return words.length === 0 ? 'offers nothing yet' : words.join(' · ');
}

/** The protocol that was agreed on, such as `MCP 2026-07-28`. */
export function protocolWords({
  era,
  protocolVersion,
}: Pick<ServerView, 'era' | 'protocolVersion'>): string | undefined {
  if (protocolVersion === undefined) return undefined;
  return `MCP ${protocolVersion}${era === 'legacy' ? ' (older protocol)' : ''}`;
}
