import type { Client, ClientCapabilities } from '@modelcontextprotocol/client';
import { type AskContext, type AskingServer, handleElicitations } from './elicitation.ts';
import { handleRoots } from './roots.ts';
import { handleSampling } from './sampling.ts';
import type { ServerLog } from './serverLog.ts';

/**
 * What Parley can do for a server. Roots are declared also where no folder is picked: the truth is an empty list then,
 * and the first folder reaches a running server.
 */
export const CAPABILITIES: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  sampling: { tools: {} },
};

export interface RequestDeps {
  server: AskingServer;
  log: ServerLog;
  /** On whose behalf a request that arrives now is answered. */
  asking(): AskContext;
  /** The folders of the server's entry. */
  roots(): readonly string[];
}

/** Answers what a server may ask of its client, in both eras. The SDK itself answers `ping`. */
export function answerServer(client: Client, deps: RequestDeps): void {
  handleElicitations(client, deps.server, deps.asking);
  handleRoots(client, deps.roots, deps.log);
  handleSampling(client, deps.server, deps.asking);
}
