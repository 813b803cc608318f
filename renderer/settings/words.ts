import type { ServerState, ServerView } from '../../shared/servers.ts';

/** It only wants the person to sign in: nothing is broken. */
export function needsSignIn({ error }: Pick<ServerView, 'error'>): boolean {
  return error?.code === 'auth.required';
}

/** The state of a server in one word or two. */
export function stateWords(server: Pick<ServerView, 'state' | 'error'>): string {
  return needsSignIn(server) ? 'Sign-in needed' : words[server.state];
}

const words: Record<ServerState, string> = {
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
  const offered = counted
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`);
  return offered.length === 0 ? 'offers nothing yet' : offered.join(' · ');
}

/** The protocol that was agreed on, such as `MCP 2026-07-28`. */
export function protocolWords({
  era,
  protocolVersion,
}: Pick<ServerView, 'era' | 'protocolVersion'>): string | undefined {
  if (protocolVersion === undefined) return undefined;
  return `MCP ${protocolVersion}${era === 'legacy' ? ' (older protocol)' : ''}`;
}
