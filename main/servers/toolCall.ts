import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import type { ToolResult } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { Calls, RunningCall } from './calls.ts';
import { unwrapContent } from './content.ts';
import { type AskingServer, askToVisit } from './elicitation.ts';
import { explainHttpFailure, httpStatus, isOutage, messageOf } from './failures.ts';
import { mismatch } from './schemaCheck.ts';
import type { ServerLog } from './serverLog.ts';
import type { Session } from './session.ts';
import type { CallOptions, ListedTool } from './types.ts';

/** How long a call may be silent when its server's entry says nothing else, and how long it may take at all. */
const IDLE_MS = 60_000;
const TOTAL_MS = 60 * 60_000;
/** The server has changed a tool's headers (2026-07-28, transports/streamable-http). */
const HEADER_MISMATCH = -32020;

interface ToolCall {
  name: string;
  listed: ListedTool | undefined;
  args: JsonObject;
  options: CallOptions;
}

interface CallDeps {
  config: ServerConfig;
  server: AskingServer;
  calls: Calls;
  log: ServerLog;
  note(text: string): void;
  /** A new session in place of one that the server has forgotten; undefined when there is none to be had. */
  renew(): Promise<Session | undefined>;
  /** Reads the lists again. The tool as it is listed now. */
  relist(name: string): Promise<ListedTool | undefined>;
  /** The call could not be delivered: somebody should look whether the server is still there. */
  doubt(): void;
}

/**
 * Calls a tool and waits for its result, within the limits of the server's entry: `timeoutMs` of silence, which
 * progress starts anew and questions to the person suspend, and an hour in all.
 * @throws HostError for everything but a result
 */
export async function callTool(session: Session, call: ToolCall, deps: CallDeps): Promise<ToolResult> {
  const { config, calls, log } = deps;
  const { name, listed, options } = call;
  const limits = { idleMs: config.timeoutMs ?? IDLE_MS, totalMs: TOTAL_MS };
  return calls.run(limits, options.conversationId, async running => {
    try {
      const result = await sendAgainIfRefused(session, call, running, deps);
      noteBrokenPromise(listed, result, deps);
      return result;
    } catch (error) {
      if (isMalformed(error)) log.add(`[parley] The answer to “${name}” was malformed: ${messageOf(error)}`);
      if (config.type === 'http' && isOutage(error) && !options.signal.aborted) deps.doubt();
      const visit = await visitPages(error, session, call, running, deps);
      const { code, message, hint } = visit ?? explain(error, session, call, running, deps);
      throw new HostError(code, log.redact(message), hint && log.redact(hint), { cause: error });
    }
  });
}

/**
 * Once more where the server refused the request before doing anything: it does not know the session any more, or
 * wants other headers than its old list of tools said.
 */
async function sendAgainIfRefused(
  session: Session,
  call: ToolCall,
  running: RunningCall,
  { renew, relist }: CallDeps,
): Promise<ToolResult> {
  try {
    return await send(session, call, running);
  } catch (error) {
    if (call.options.signal.aborted) throw error;
    if (isForgotten(error, session)) {
      const renewed = await renew();
      if (renewed) return send(renewed, call, running);
    }
    if (error instanceof ProtocolError && error.code === HEADER_MISMATCH) {
      return send(session, { ...call, listed: await relist(call.name) }, running);
    }
    throw error;
  }
}

async function send(session: Session, call: ToolCall, { clock }: RunningCall): Promise<ToolResult> {
  const { name, listed, args, options } = call;
  const result = await session.client.callTool(
    { name, arguments: args },
    {
      // Without the output schema: it is the server's promise about itself, and breaking it must not cost the result.
      ...(listed ? { toolDefinition: { name, inputSchema: { ...listed.inputSchema, type: 'object' } } } : {}),
      signal: AbortSignal.any([options.signal, clock.signal, session.over]),
      timeout: TOTAL_MS,
      onprogress: ({ progress, total, message }) => {
        clock.touch();
        // The SDK reports its own rounds of questions as progress; the server did not say that.
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

/** 404, or 400 with a word about it, in answer to a session id (revisions up to 2025-11-25). */
function isForgotten(error: unknown, session: Session): boolean {
  if (session.sessionId === undefined || session.client.getProtocolEra() === 'modern') return false;
  const status = httpStatus(error);
  return status === 404 || (status === 400 && /session/i.test(messageOf(error)));
}

function noteBrokenPromise(
  listed: ListedTool | undefined,
  result: ToolResult,
  { log, note }: CallDeps,
): void {
  if (!listed?.outputSchema || result.isError) return;
  const problem =
    result.structuredContent === undefined
      ? 'there is no structured content'
      : mismatch(listed.outputSchema, result.structuredContent);
  if (!problem) return;
  note(`The results of “${listed.name}” are not as its output schema says; they are used as they are.`);
  log.add(`[parley] The result of “${listed.name}” is not as its output schema says: ${problem}`);
}

/** A legacy server may ask for visits to pages by refusing the call (-32042): what came of it, for the model. */
async function visitPages(
  error: unknown,
  session: Session,
  { name, options }: ToolCall,
  { clock }: RunningCall,
  { server, calls }: CallDeps,
): Promise<HostError | undefined> {
  if (!(error instanceof UrlElicitationRequiredError) || options.signal.aborted) return undefined;
  const signal = AbortSignal.any([options.signal, clock.signal, session.over]);
  for (const page of error.elicitations) {
    if ((await askToVisit(server, page, { ...calls.asking(), signal })) === 'accept') continue;
    return new HostError('call.declined', `The person did not open the page that “${name}” asks for.`);
  }
  return new HostError(
    'call.visit',
    `“${name}” needs the person to finish something on a page that has just been opened for them.`,
    'When that is done, call it again.',
  );
}

function explain(
  error: unknown,
  session: Session,
  { name, options }: ToolCall,
  { clock }: RunningCall,
  { config, server }: CallDeps,
): HostError {
  if (error instanceof HostError) return error;
  if (options.signal.aborted) return new HostError('call.cancelled', 'The call was stopped.');
  if (clock.signal.aborted)
    return new HostError(
      'call.timeout',
      `“${name}” did not answer in time.`,
      'It may still be running on the server. A longer limit can be set for the server.',
    );
  if (session.over.aborted)
    return new HostError(
      'server.gone',
      `The server “${server.name}” ended while “${name}” was running; the tool may have run.`,
      'Look at it on the Servers screen.',
    );
  if (error instanceof ProtocolError) {
    const data = error.data === undefined ? '' : ` ${JSON.stringify(error.data).slice(0, 500)}`;
    const message = error.message.slice(0, 2000) || 'the server gave no message';
    return new HostError('call.protocol', `${message} (${error.code})${data}`);
  }
  if (isMalformed(error))
    return new HostError('call.malformed', `The server's answer to “${name}” was malformed.`);
  if (config.type === 'http') return explainHttpFailure(error, config.url);
  return new HostError('call.failed', messageOf(error).slice(0, 500));
}

function isMalformed(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
}
