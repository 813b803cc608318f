import { type Client, isSpecType } from '@modelcontextprotocol/client';
import type { AskContext, AskingServer, CallContext } from './asking.ts';
import { answerElicitation, Elicitation, handleElicitations } from './elicitation.ts';
import { isObject } from './objects.ts';
import { handleRoots, listRoots } from './roots.ts';
import { answerSampling, handleSampling } from './sampling.ts';
import type { ServerLog } from './serverLog.ts';
import type { Visits } from './visits.ts';

export interface RequestDeps {
  server: AskingServer;
  log: ServerLog;
  /** On whose behalf a request that arrives now is answered. */
  asking(): CallContext;
  /** The folders of the server's entry. */
  roots(): readonly string[];
  visits: Visits;
}

/** Answers what a server may ask of its client, in both eras. The SDK itself answers `ping`. */
export function answerServer(client: Client, deps: RequestDeps): void {
  handleElicitations(client, deps.server, deps.asking, deps.visits);
  handleRoots(client, deps.roots, deps.log);
  handleSampling(client, deps.server, deps.asking);
}

/**
 * The answer to an input request that came by another way than the SDK: the same questions are asked.
 * @throws when it is no request that there is an answer to
 */
export async function answerInput(
  request: unknown,
  { server, log, roots }: Omit<RequestDeps, 'asking' | 'visits'>,
  about: AskContext,
): Promise<object> {
  const { method, params } = isObject(request) ? request : {};
  if (method === 'roots/list') return listRoots(roots(), log);
  if (method === 'elicitation/create') return answerElicitation(server, Elicitation.parse(params), about);
  if (isSpecType.CreateMessageRequest(request)) return answerSampling(server, request.params, about);
  throw new Error(`There is no answer to a request of the method ${JSON.stringify(method)}.`);
}
