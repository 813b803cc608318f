import { type Client, isSpecType } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { type AskContext, type AskingServer, answerElicitation, handleElicitations } from './elicitation.ts';
import { isObject } from './objects.ts';
import { handleRoots, listRoots } from './roots.ts';
import { answerSampling, handleSampling } from './sampling.ts';
import type { ServerLog } from './serverLog.ts';

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

const Elicitation = z.union([
  z.object({ mode: z.literal('url'), message: z.string(), url: z.string() }),
  z.object({
    mode: z.literal('form').optional(),
    message: z.string(),
    requestedSchema: z.record(z.string(), z.unknown()),
  }),
]);

/**
 * The answer to an input request that came by another way than the SDK: the same questions are asked.
 * @throws when it is no request that there is an answer to
 */
export async function answerInput(
  request: unknown,
  { server, log, roots }: Omit<RequestDeps, 'asking'>,
  about: AskContext,
): Promise<object> {
  const { method, params } = isObject(request) ? request : {};
  if (method === 'roots/list') return listRoots(roots(), log);
  if (method === 'elicitation/create') return answerElicitation(server, Elicitation.parse(params), about);
  if (isSpecType.CreateMessageRequest(request)) return answerSampling(server, request.params, about);
  throw new Error(`There is no answer to a request of the method ${JSON.stringify(method)}.`);
}
