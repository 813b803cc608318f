import {
  type Client,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { readForm } from '../../shared/elicitationForm.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { AskContext, AskingServer, CallContext } from './asking.ts';
import { isObject } from './objects.ts';
import { mismatch } from './schemaCheck.ts';
import { type Visits, visit } from './visits.ts';

/** A question in either mode; no mode is the form. More tolerant than the SDK: the person can judge what it says. */
export const Elicitation = z.union([
  z.object({
    mode: z.literal('url'),
    message: z.string(),
    url: z.string(),
    elicitationId: z.string().optional(),
  }),
  z.object({
    mode: z.literal('form').optional(),
    message: z.string(),
    requestedSchema: z.record(z.string(), z.unknown()),
  }),
]);
export type Elicitation = z.infer<typeof Elicitation>;

/**
 * Answers a server's elicitations by asking the person. Both eras end here: the SDK brings an `input_required` entry
 * and a legacy `elicitation/create` to the same handler.
 * @see the elicitation page of the specification
 */
export function handleElicitations(
  client: Client,
  server: AskingServer,
  context: () => CallContext,
  visits: Visits,
): void {
  let open = 0;
  client.setRequestHandler('elicitation/create', { params: Elicitation }, async (params, ctx) => {
    const { giveUp, ...waiting } = context();
    const about = { ...waiting, signal: AbortSignal.any([waiting.signal, ctx.mcpReq.signal]) };
    if (open >= MAX_OPEN)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidRequest,
        `${MAX_OPEN} questions of this server are waiting for the person already.`,
      );
    open++;
    try {
      if (params.mode !== 'url' || client.getProtocolEra() === 'modern')
        return await answerElicitation(server, params, about);
      checkSize(params.message);
      return { action: await agreeAside(server, params, about, { visits, giveUp }) };
    } finally {
      open--;
    }
  });
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
    visits.complete(params.elicitationId),
  );
}

/** Asks the person what a server wants to know, in either mode. */
export async function answerElicitation(
  server: AskingServer,
  params: Elicitation,
  about: AskContext,
): Promise<ElicitResult> {
  if (params.mode !== 'url') return askForm(server, params.message, params.requestedSchema, about);
  checkSize(params.message);
  return { action: await visit(server, params, about) };
}

/**
 * For a server that wants to hear of the consent at once and goes on by itself (revisions up to 2025-11-25). The waiting
 * beside it ends with the call, or by the server's word that the visit is complete; a person who cancels it gives the
 * call up.
 */
function agreeAside(
  server: AskingServer,
  page: Extract<Elicitation, { mode: 'url' }>,
  about: AskContext,
  { visits, giveUp }: { visits: Visits; giveUp(): void },
): Promise<ElicitResult['action']> {
  return new Promise((resolve, reject) => {
    let agreed = false;
    const onConsent = () => {
      agreed = true;
      resolve('accept');
    };
    visits
      .during(page.elicitationId, async done => {
        const outcome = await visit(server, page, about, { done, onConsent });
        if (!agreed) resolve(outcome);
        else if (outcome === 'cancel' && !about.signal.aborted) giveUp();
      })
      .catch(reject);
  });
}

/** A person reads this much before an answer, and fills in so many fields; a form of more is there to wear them down. */
const MAX_MESSAGE_LENGTH = 20_000;
const MAX_FIELDS = 100;
const MAX_SCHEMA_LENGTH = 256 * 1024;
/** Of one server at a time: more would bury the questions of the others. */
const MAX_OPEN = 20;

/** @throws ProtocolError about what no person can be asked */
export function checkSize(message: string, schema?: JsonObject): void {
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

async function askForm(
  server: AskingServer,
  message: string,
  schema: JsonObject,
  { conversationId, signal, pause }: AskContext,
): Promise<ElicitResult> {
  checkSize(message, schema);
  const { problem } = readForm(schema);
  if (problem !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, problem);
  const question = {
    kind: 'elicitation' as const,
    server: server.name,
    message,
    schema,
    ...(conversationId === undefined ? {} : { conversationId }),
  };
  const answer = await pause(() =>
    server.asks.ask(question, signal, given =>
      given.action === 'accept' ? problemWith(schema, given.content) : undefined,
    ),
  );
  if (answer.action !== 'accept') return { action: answer.action };
  return { action: 'accept', content: Content.parse(answer.content) };
}

/** What the protocol lets an answer hold. */
const Content = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

/** The last look before an answer goes out, in words for whoever gave it. */
function problemWith(schema: JsonObject, content: JsonObject): string | undefined {
  const problem = Content.safeParse(content).success ? mismatch(schema, content) : 'it holds nested values';
  if (problem === undefined) return undefined;
  return `Nothing was sent: this answer does not fit what the server asked for. ${problem.replace(/\bit\//g, '')}`;
}
