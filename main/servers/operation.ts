import {
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { HostError } from '../../shared/errors.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import type { AskingServer } from './asking.ts';
import type { GoOn } from './callClock.ts';
import type { Calls, RunningCall } from './calls.ts';
import { checkSize } from './elicitation.ts';
import { explainHttpFailure, httpStatus, isOutage, messageOf } from './failures.ts';
import { withFirstOf } from './firstOf.ts';
import { logLevelMeta } from './logMessages.ts';
import { forwardProgress } from './progress.ts';
import type { ServerLog } from './serverLog.ts';
import type { Session } from './session.ts';
import type { CallOptions } from './types.ts';
import { visit } from './visits.ts';

/** How long a request may be silent when its server's entry says nothing else, and how long it may take at all. */
const IDLE_MS = 60_000;
const TOTAL_MS = 60 * 60_000;

/** What every request carries in its parameters. */
export type RequestMeta = { _meta?: Record<string, unknown> };

/** One request to a server: a tool call, the reading of a resource, a prompt, a completion. */
export interface Operation<T> {
  /** What a person calls it: the name of the tool or prompt, the address of the resource. */
  what: string;
  options: CallOptions;
  /**
   * Sends it once; may be called a second time where the server refused the first. `meta` is for the parameters.
   */
  send(session: Session, request: RequestOptions, meta: RequestMeta): Promise<T>;
  /**
   * Whether to send it again after an error by which the server says that it did nothing. What must be different then
   * has been changed.
   */
  mend?(error: unknown): Promise<boolean>;
  /** Its own words for an error; undefined: the common ones. */
  explain?(error: unknown): HostError | undefined;
}

export interface OperationDeps {
  config: ServerConfig;
  server: AskingServer;
  calls: Calls;
  log: ServerLog;
  /** A new session in place of one that the server has forgotten; undefined when there is none to be had. */
  renew(): Promise<Session | undefined>;
  /** It could not be delivered: somebody should look whether the server is still there. */
  doubt(): void;
}

/**
 * The one way for every request that a person or a model waits for. Within the limits of the server's entry:
 * `timeoutMs` of silence, which progress starts anew and questions to the person suspend, and an hour in all. After a
 * silence in a call of a conversation the person is asked whether to go on waiting.
 * @throws HostError for everything but a result
 */
export async function perform<T>(session: Session, operation: Operation<T>, deps: OperationDeps): Promise<T> {
  const { config, calls, log } = deps;
  const { what, options } = operation;
  const idleMs = config.timeoutMs ?? IDLE_MS;
  const limits = { idleMs, totalMs: TOTAL_MS, goOn: keepWaiting(operation, idleMs, deps) };
  return calls.run(limits, options.conversationId, async running => {
    try {
      return await sendUntilVisited(session, operation, running, deps);
    } catch (error) {
      if (isMalformed(error)) log.note(`The answer to “${what}” was malformed: ${messageOf(error)}`);
      if (config.type === 'http' && isOutage(error) && !options.signal.aborted) deps.doubt();
      const { code, message, hint } = explain(error, session, operation, running, deps);
      throw new HostError(code, log.redact(message), hint && log.redact(hint), { cause: error });
    }
  });
}

/** How long the person has to answer; then the call ends, as a turn must not wait for ever with nobody there. */
const MOST_GRACE_MS = 60_000;
/** Where the server's own limit is shorter than anybody can read. */
const LEAST_GRACE_MS = 10_000;

/** Undefined where nobody can be shown which call is meant. */
function keepWaiting(
  { what, options: { conversationId, callId, signal } }: Operation<unknown>,
  idleMs: number,
  { server: { name, asks } }: OperationDeps,
): GoOn | undefined {
  if (conversationId === undefined || callId === undefined) return undefined;
  return async over => {
    const grace = AbortSignal.timeout(Math.min(MOST_GRACE_MS, Math.max(LEAST_GRACE_MS, idleMs)));
    const question = {
      kind: 'keepWaiting' as const,
      server: name,
      conversationId,
      callId,
      tool: what,
      silentMs: idleMs,
    };
    const answer = await asks.ask(question, AbortSignal.any([signal, over, grace]));
    return answer.action === 'keepWaiting';
  };
}

/**
 * A legacy server may refuse until the person has been to pages (-32042); then it is asked again. Each round costs the
 * person a consent, so they end it when it leads nowhere.
 */
async function sendUntilVisited<T>(
  session: Session,
  operation: Operation<T>,
  running: RunningCall,
  deps: OperationDeps,
): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      return await sendAgainIfRefused(session, operation, running, deps);
    } catch (error) {
      const pages = pagesIn(error);
      if (!pages || round === MAX_VISITS || operation.options.signal.aborted) throw error;
      await visitAll(pages, session, operation, running, deps);
    }
  }
}

const MAX_VISITS = 10;

const Pages = z
  .array(z.object({ url: z.string(), message: z.string(), elicitationId: z.string().optional() }))
  .min(1)
  .max(10);

function pagesIn(error: unknown): z.infer<typeof Pages> | undefined {
  return error instanceof UrlElicitationRequiredError ? Pages.safeParse(error.elicitations).data : undefined;
}

/** @throws HostError when the person does not want to, ProtocolError when a page is none that can be opened */
async function visitAll(
  pages: z.infer<typeof Pages>,
  session: Session,
  { what, options }: Operation<unknown>,
  { clock }: RunningCall,
  { server, calls }: OperationDeps,
): Promise<void> {
  const signal = AbortSignal.any([options.signal, clock.signal, session.over]);
  for (const page of pages) {
    checkSize(page.message);
    const outcome = await calls.visits.during(page.elicitationId, done =>
      visit(server, page, { ...calls.asking(), signal }, { done }),
    );
    if (outcome !== 'accept')
      throw new HostError('call.declined', `The person did not go to the page that “${what}” asks for.`);
  }
}

/**
 * Once more where the server refused the request before doing anything: it does not know the session any more, or
 * told what was wrong with the request. Nothing else is ever sent twice.
 */
async function sendAgainIfRefused<T>(
  session: Session,
  operation: Operation<T>,
  running: RunningCall,
  { renew, log }: OperationDeps,
): Promise<T> {
  try {
    return await send(session, operation, running, log);
  } catch (error) {
    if (operation.options.signal.aborted) throw error;
    if (isForgotten(error, session)) {
      const renewed = await renew();
      if (renewed) return send(renewed, operation, running, log);
    }
    if (await operation.mend?.(error)) return send(session, operation, running, log);
    throw error;
  }
}

function send<T>(
  session: Session,
  { send, options }: Operation<T>,
  { clock, givenUp }: RunningCall,
  log: ServerLog,
): Promise<T> {
  const timeout = TOTAL_MS;
  const onprogress = forwardProgress(() => clock.touch(), options.onProgress);
  const meta = logLevelMeta(session.client, log.level);
  return withFirstOf([options.signal, givenUp.signal, clock.signal, session.over], signal =>
    send(session, { signal, timeout, onprogress }, meta),
  );
}

/** 404, or 400 with a word about it, in answer to a session id (revisions up to 2025-11-25). */
export function isForgotten(error: unknown, session: Session): boolean {
  if (session.sessionId === undefined || session.client.getProtocolEra() === 'modern') return false;
  const status = httpStatus(error);
  return status === 404 || (status === 400 && /session/i.test(messageOf(error)));
}

function explain(
  error: unknown,
  session: Session,
  { what, options, explain: inItsWords }: Operation<unknown>,
  { clock, givenUp }: RunningCall,
  { config, server }: OperationDeps,
): HostError {
  if (error instanceof HostError) return error;
  if (options.signal.aborted) return new HostError('call.cancelled', 'The call was stopped.');
  if (givenUp.signal.aborted)
    return new HostError('call.declined', `The person did not finish on the page that “${what}” asked for.`);
  if (clock.signal.aborted)
    return new HostError(
      'call.timeout',
      `“${what}” did not answer in time.`,
      'It may still be running on the server. A longer limit can be set for the server.',
    );
  if (session.over.aborted)
    return new HostError(
      'server.gone',
      `The server “${server.name}” ended while “${what}” was running; it may have been done.`,
      'Look at it on the Servers screen.',
    );
  const own = inItsWords?.(error);
  if (own) return own;
  if (error instanceof ProtocolError) {
    const data = error.data === undefined ? '' : ` ${JSON.stringify(error.data).slice(0, 500)}`;
    const message = error.message.slice(0, 2000) || 'the server gave no message';
    return new HostError('call.protocol', `${message} (${error.code})${data}`);
  }
  if (isMalformed(error))
    return new HostError('call.malformed', `The server's answer to “${what}” was malformed.`);
  if (error instanceof SdkError && error.code === SdkErrorCode.InputRequiredRoundsExceeded)
    return new HostError(
      'call.rounds',
      `“${what}” kept asking for more input and was given up after ${roundsOf(error)} rounds.`,
      'Nothing came of it. Try it again, or tell whoever makes the server.',
    );
  if (config.type === 'http') return explainHttpFailure(error, config.url);
  return new HostError('call.failed', messageOf(error).slice(0, 500));
}

function roundsOf({ data }: SdkError): string {
  return String((data as { rounds?: unknown } | undefined)?.rounds ?? 'too many');
}

function isMalformed(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
}
