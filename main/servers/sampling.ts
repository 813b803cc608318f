import {
  type Client,
  type CreateMessageRequest,
  type CreateMessageResultWithTools,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import type { SamplingBlock, SamplingMessage, SamplingTool } from '../../shared/sampling.ts';
import type { AskContext, AskingServer } from './asking.ts';
import type { SamplingOutcome, SamplingRequest } from './types.ts';

/** The person said no. A value of our own beside the ones that JSON-RPC defines, as the specification's example has it. */
const REJECTED = -1;

/**
 * Answers a server that asks for a completion, with the person's consent. Both eras end here: a legacy request, and a
 * modern `input_required` entry.
 * @see the sampling page of the specification
 */
export function handleSampling(client: Client, server: AskingServer, context: () => AskContext): void {
  client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
    const about = context();
    return answerSampling(server, params, {
      ...about,
      signal: AbortSignal.any([about.signal, mcpReq.signal]),
    });
  });
}

/** @throws ProtocolError when the prompt breaks the rules, or nobody answers it */
export async function answerSampling(
  server: AskingServer,
  params: Params,
  { conversationId, signal, pause }: AskContext,
): Promise<CreateMessageResultWithTools> {
  const request = { server: server.name, conversationId, ...understand(params) };
  checkToolResults(request.messages);
  const outcome = await pause(() => server.sample(request, signal)).catch((error: unknown) => {
    throw new ProtocolError(REJECTED, error instanceof Error ? error.message : String(error));
  });
  return asResult(outcome, request.tools.length > 0 || params.toolChoice !== undefined);
}

type Params = CreateMessageRequest['params'];

function understand(params: Params): Omit<SamplingRequest, 'server' | 'conversationId'> {
  return {
    systemPrompt: params.systemPrompt ?? '',
    messages: params.messages.map(({ role, content }) => ({
      role,
      content: (Array.isArray(content) ? content : [content]) as SamplingBlock[],
    })),
    tools: (params.tools ?? []).map(({ name, description, inputSchema }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      inputSchema: inputSchema as SamplingTool['inputSchema'],
    })),
    toolChoice: params.toolChoice?.mode,
    maxTokens: params.maxTokens,
    stopSequences: params.stopSequences ?? [],
    hints: (params.modelPreferences?.hints ?? []).flatMap(({ name }) => (name ? [name] : [])),
  };
}

/** Results stand alone in the message right after their calls: providers refuse anything else. */
function checkToolResults(messages: readonly SamplingMessage[]): void {
  let open: string[] = [];
  for (const { role, content } of messages) {
    const results = content.filter(({ type }) => type === 'tool_result');
    if (results.length > 0 && (role !== 'user' || results.length < content.length))
      throw invalid('Tool results must be alone in a message of the user.');
    const given = results.map(({ toolUseId }) => String(toolUseId));
    if (open.some(id => !given.includes(id)) || given.some(id => !open.includes(id)))
      throw invalid('Every tool use needs its result in the next message, and every result its tool use.');
    open = content.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id));
  }
  if (open.length > 0) throw invalid('The last tool use has no result.');
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Without tools the older revision allows one block only. */
function asResult({ model, content, stopReason }: SamplingOutcome, withTools: boolean) {
  const text = () => content.map(block => (block.type === 'text' ? String(block.text) : '')).join('\n\n');
  return {
    role: 'assistant' as const,
    model,
    stopReason,
    content: withTools ? content : { type: 'text' as const, text: text() },
  } as CreateMessageResultWithTools;
}
