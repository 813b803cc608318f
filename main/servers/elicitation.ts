import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../shared/tools.ts';
import type { Asks } from '../consent/asks.ts';
import { isObject } from './objects.ts';
import { mismatch } from './schemaCheck.ts';
import type { Sample } from './types.ts';

/** On whose behalf a question is asked, and what ends it. */
export interface AskContext {
  conversationId: string | undefined;
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Runs the question while the clocks of the calls that wait for it stand still. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

/** Where the questions of one server go. */
export interface AskingServer {
  name: string;
  asks: Asks;
  openExternal(url: string): Promise<void>;
  /** Has the language model complete a prompt, if the person agrees. */
  sample: Sample;
}

/**
 * Answers a server's elicitations by asking the person. Both eras end here: the SDK brings an `input_required` entry
 * and a legacy `elicitation/create` to the same handler.
 * @see the elicitation page of the specification
 */
export function handleElicitations(client: Client, server: AskingServer, context: () => AskContext): void {
  let open = 0;
  client.setRequestHandler('elicitation/create', async (request, ctx): Promise<ElicitResult> => {
    const { params } = request;
    const about = context();
    if (open >= MAX_OPEN)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        `${MAX_OPEN} questions of this server are waiting for the person already.`,
      );
    open++;
    try {
      return await answerElicitation(server, params, {
        ...about,
        signal: AbortSignal.any([about.signal, ctx.mcpReq.signal]),
      });
    } finally {
      open--;
    }
  });
}

/** Asks the person what a server wants to know, in either mode; no mode is the form. */
export async function answerElicitation(
  server: AskingServer,
  params: ElicitationParams,
  about: AskContext,
): Promise<ElicitResult> {
  if (params.mode === 'url') return { action: await askToVisit(server, params, about) };
  return askForm(server, params.message, params.requestedSchema as JsonObject, about);
}

/** A person reads this much before an answer, and fills in so many fields; a form of more is there to wear them down. */
const MAX_MESSAGE_LENGTH = 20_000;
const MAX_FIELDS = 100;
const MAX_SCHEMA_LENGTH = 256 * 1024;
const MAX_URL_LENGTH = 8000;
/** Of one server at a time: more would bury the questions of the others. */
const MAX_OPEN = 20;

/** @throws ProtocolError about what no person can be asked */
function checkSize(message: string, schema?: JsonObject): void {
  const { properties } = schema ?? {};
  const fields = isObject(properties) ? Object.keys(properties).length : 0;
  if (message.length > MAX_MESSAGE_LENGTH)
    throw tooMuch(`messages of more than ${MAX_MESSAGE_LENGTH} characters`);
  if (fields > MAX_FIELDS) throw tooMuch(`forms of more than ${MAX_FIELDS} fields`);
  if (schema && JSON.stringify(schema).length > MAX_SCHEMA_LENGTH)
    throw tooMuch(`schemas of more than ${MAX_SCHEMA_LENGTH >> 10} KB`);
}

function tooMuch(what: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Parley does not show ${what} to a person.`);
}

type ElicitationParams =
  | { mode: 'url'; message: string; url: string }
  | { mode?: 'form' | undefined; message: string; requestedSchema: object };

/**
 * Asks whether a page may be opened outside Parley, and opens it when the person agrees.
 * @throws ProtocolError when it is no web page: the person is not bothered with it
 */
export async function askToVisit(
  server: AskingServer,
  { url, message }: { url: string; message: string },
  { conversationId, signal, pause }: AskContext,
): Promise<ElicitResult['action']> {
  checkSize(message);
  if (url.length > MAX_URL_LENGTH || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'Only http and https addresses of usual length can be opened.',
    );
  }
  const { action } = await pause(() =>
    server.asks.ask(
      { kind: 'urlElicitation', server: server.name, url, message, ...inConversation(conversationId) },
      signal,
    ),
  );
  if (action === 'accept') await server.openExternal(url);
  return action;
}

async function askForm(
  server: AskingServer,
  message: string,
  schema: JsonObject,
  { conversationId, signal, pause }: AskContext,
): Promise<ElicitResult> {
  checkSize(message, schema);
  const answer = await pause(() =>
    server.asks.ask(
      { kind: 'elicitation', server: server.name, message, schema, ...inConversation(conversationId) },
      signal,
    ),
  );
  if (answer.action !== 'accept') return { action: answer.action };
  const problem = mismatch(schema, answer.content);
  if (problem) throw new Error(`The answer does not fit the requested schema: ${problem}`);
  return { action: 'accept', content: answer.content as NonNullable<ElicitResult['content']> };
}

function inConversation(conversationId: string | undefined): { conversationId?: string } {
  return conversationId === undefined ? {} : { conversationId };
}
