import type { Client, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../../shared/tools.ts';
import type { Asks } from '../consent/asks.ts';

/** On whose behalf a question is asked, and what ends it. */
export interface AskContext {
  conversationId: string | undefined;
  signal: AbortSignal;
  /** Runs the question while the call's clock stands still. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Answers a server's elicitations by asking the person. Both eras end here: the SDK brings an `input_required` entry
 * and a legacy `elicitation/create` to the same handler.
 * @see the elicitation page of the specification
 */
export function handleElicitations(
  client: Client,
  options: { server: string; asks: Asks; openExternal(url: string): Promise<void>; context(): AskContext },
): void {
  const { server, asks, openExternal, context } = options;
  client.setRequestHandler('elicitation/create', async (request, ctx): Promise<ElicitResult> => {
    const { params } = request;
    const { conversationId, signal, pause } = context();
    const about = {
      server,
      message: params.message,
      ...(conversationId === undefined ? {} : { conversationId }),
    };
    const until = AbortSignal.any([signal, ctx.mcpReq.signal]);
    if (params.mode === 'url') {
      const answer = await pause(() =>
        asks.ask({ ...about, kind: 'urlElicitation', url: params.url }, until),
      );
      if (answer.action === 'accept') await openExternal(params.url);
      return { action: answer.action };
    }
    const schema = params.requestedSchema as JsonObject;
    const answer = await pause(() => asks.ask({ ...about, kind: 'elicitation', schema }, until));
    if (answer.action !== 'accept') return { action: answer.action };
    const problem = mismatch(schema, answer.content);
    if (problem) throw new Error(`The answer does not fit the requested schema: ${problem}`);
    return { action: 'accept', content: answer.content as NonNullable<ElicitResult['content']> };
  });
}

export type { ElicitRequest };

/** Why the content does not fit; undefined when it does, or when the schema itself cannot be used for a check. */
function mismatch(schema: JsonObject, content: JsonObject): string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  try {
    const { $schema: _dialect, ...bare } = schema;
    const validate = ajv.compile(bare);
    return validate(content) ? undefined : ajv.errorsText(validate.errors);
  } catch {
    return undefined;
  }
}
