import { ProtocolError, SdkError, SdkErrorCode, UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import type { ToolResult } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { RunningCall } from './calls.ts';
import { unwrapContent } from './content.ts';
import { explainHttpFailure, messageOf } from './failures.ts';
import type { Session } from './session.ts';
import type { CallOptions, ListedTool } from './types.ts';

/** The longest that one request may take, progress or not, in milliseconds. */
export const CALL_TOTAL_MS = 60 * 60_000;

/** One `tools/call` to a connected server. @throws what the SDK throws; see `explainCallFailure` */
export async function sendToolCall(
  session: Session,
  tool: { name: string; listed: ListedTool | undefined },
  args: JsonObject,
  options: CallOptions,
  { clock }: RunningCall,
): Promise<ToolResult> {
  const { name, listed } = tool;
  const result = await session.client.callTool(
    { name, arguments: args },
    {
      // Without the output schema: it is the server's promise about itself, and breaking it must not cost the result.
      ...(listed ? { toolDefinition: { name, inputSchema: { ...listed.inputSchema, type: 'object' } } } : {}),
      signal: AbortSignal.any([options.signal, clock.signal, session.over]),
      timeout: CALL_TOTAL_MS,
      onprogress: ({ progress, total, message }) => {
        clock.touch();
        // The SDK reports its own question rounds as progress; the server did not say that.
        if (message?.startsWith('Fulfilling input required by')) return;
        options.onProgress?.({
          progress,
          ...(total === undefined ? {} : { total }),
          ...(message === undefined ? {} : { message }),
        });
      },
    },
  );
  // Some servers wrap the result; the SDK would make an empty one of it.
  if ('toolResult' in result)
    throw new SdkError(SdkErrorCode.InvalidResult, 'The result is wrapped in "toolResult".');
  return {
    content: unwrapContent(result.content),
    ...(result.structuredContent === undefined ? {} : { structuredContent: result.structuredContent }),
    ...(result.isError === undefined ? {} : { isError: result.isError }),
  };
}

/** Why a call has no result, in words for the person and the model. */
export function explainCallFailure(
  error: unknown,
  call: { server: string; tool: string; url: string | undefined; stop: AbortSignal; session: Session } & Pick<
    RunningCall,
    'clock'
  >,
): HostError {
  const { server, tool, url, stop, session, clock } = call;
  if (error instanceof HostError) return error;
  const cause = { cause: error };
  if (stop.aborted) return new HostError('call.cancelled', 'The call was stopped.', undefined, cause);
  if (clock.signal.aborted)
    return new HostError(
      'call.timeout',
      `“${tool}” did not answer in time.`,
      'It may still be running on the server. A longer limit can be set for the server.',
      cause,
    );
  if (session.over.aborted)
    return new HostError(
      'server.gone',
      `The server “${server}” ended while “${tool}” was running; the tool may have run.`,
      'Look at the server on the Servers screen.',
      cause,
    );
  if (error instanceof ProtocolError) {
    const data = error.data === undefined ? '' : ` ${JSON.stringify(error.data).slice(0, 500)}`;
    const message = error.message.slice(0, 2000) || 'the server gave no message';
    return new HostError('call.protocol', `${message} (${error.code})${data}`, undefined, cause);
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return new HostError('call.malformed', `The server's answer to “${tool}” was malformed.`, undefined, cause);
  if (url !== undefined) return explainHttpFailure(error, url);
  return new HostError('call.failed', messageOf(error), undefined, cause);
}

/** The pages that must be visited before the call can work, when that is what the error says (legacy, -32042). */
export function pagesToVisit(error: unknown): { url: string; message: string }[] {
  return error instanceof UrlElicitationRequiredError ? error.elicitations : [];
}
