import type { Client } from '@modelcontextprotocol/client';
import type { Completion, CompletionRef, TextArguments } from '../../shared/offers.ts';
import type { Operation } from './operation.ts';
import type { CallOptions } from './types.ts';

/** As many as a server may send at once; what is more is not looked at. */
const MAX_VALUES = 100;
/** People go back and forth while they type: the same question soon after has the same answer. */
const KEPT_MS = 30_000;
const MAX_KEPT = 200;

export interface CompletionQuestion {
  ref: CompletionRef;
  argument: { name: string; value: string };
  /** The arguments that are filled in already. */
  context: TextArguments;
}

const NONE: Completion = { values: [], hasMore: false };

/** The completion of an argument. A server that does not complete has no suggestions. */
export function completionOf(question: CompletionQuestion, options: CallOptions): Operation<Completion> {
  const { ref, argument, context } = question;
  return {
    what: argument.name,
    options,
    async send({ client }, request, meta) {
      if (!client.getServerCapabilities()?.completions) return NONE;
      const kept = keptFor(client);
      const key = JSON.stringify(question);
      const known = kept.get(key);
      if (known && known.until > Date.now()) return known.completion;
      const { completion } = await client.complete(
        {
          ref:
            ref.type === 'prompt'
              ? { type: 'ref/prompt', name: ref.name }
              : { type: 'ref/resource', uri: ref.uri },
          argument,
          ...meta,
          ...(Object.keys(context).length > 0 ? { context: { arguments: context } } : {}),
        },
        request,
      );
      const { values, total, hasMore } = completion;
      const answer = {
        values: values.slice(0, MAX_VALUES),
        ...(total === undefined ? {} : { total }),
        hasMore: hasMore === true || values.length > MAX_VALUES,
      };
      keep(kept, key, answer);
      return answer;
    },
  };
}

type Kept = Map<string, { until: number; completion: Completion }>;

/** By client: a new session knows nothing of an old one's answers. */
const keptByClient = new WeakMap<Client, Kept>();

function keptFor(client: Client): Kept {
  const kept: Kept = keptByClient.get(client) ?? new Map();
  keptByClient.set(client, kept);
  return kept;
}

function keep(kept: Kept, key: string, completion: Completion): void {
  kept.delete(key);
  kept.set(key, { until: Date.now() + KEPT_MS, completion });
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}
