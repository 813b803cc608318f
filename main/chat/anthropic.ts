import { createHash } from 'node:crypto';
import type { Anthropic, ClientOptions } from '@anthropic-ai/sdk';
import { NotFoundError } from '@anthropic-ai/sdk/core/error';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { ModelChoices } from '../../shared/conversationSettings.ts';
import { HostError } from '../../shared/errors.ts';
import type { ModelInfo } from '../../shared/settings.ts';
import { AnswerBuilder } from './answerBuilder.ts';
import { toCompletion, toCompletionParams } from './completion.ts';
import { Concessions } from './concessions.ts';
import type { ChatModel, Completion, CompletionRequest, ModelEvent, ModelRequest } from './model.ts';
import { askForFacts, type ModelFacts, NOTHING_KNOWN } from './modelFacts.ts';
import {
  type EndpointFacts,
  explainFailure,
  notInTime,
  type ProviderFailure,
  shownUrl,
} from './providerError.ts';
import { toParams } from './request.ts';
import { DEFAULT_RETRY, pauseAfter, pauseUntil, type RetryPolicy } from './retry.ts';

export const DEFAULT_BASE_URL = 'https://api.anthropic.com';

/** For an endpoint that cannot list its models; newest first. */
export const FALLBACK_MODELS: readonly [ModelInfo, ...ModelInfo[]] = [
  { id: 'claude-opus-5-5', name: 'Claude Opus 5.5' },
  { id: 'claude-sonnet-5-5', name: 'Claude Sonnet 5.5' },
  { id: 'claude-haiku-5-5', name: 'Claude Haiku 5.5' },
];

export interface AnthropicOptions {
  /** An endpoint of one's own may need none. */
  apiKey: string | undefined;
  /** Without `/v1`. */
  baseUrl: string;
  /** Sent with every request; they win over our own. */
  headers: Readonly<Record<string, string>>;
  retry?: RetryPolicy;
}

/**
 * Any endpoint that speaks the Messages API with streaming. Worth keeping from turn to turn: it remembers what the
 * endpoint says of its models and what it does not accept.
 */
export class AnthropicModel implements ChatModel {
  readonly #options: ClientOptions;
  #loading: Promise<Anthropic> | undefined;
  readonly #facts: EndpointFacts;
  readonly #retry: RetryPolicy;
  readonly #models = new Map<string, ModelFacts>();
  /** Tokens by the hash of what was counted. */
  readonly #counts = new Map<string, number>();
  #cannotCount = false;
  /** By conversation. */
  readonly #concessions = new Map<string, Concessions>();

  constructor({ apiKey, baseUrl, headers, retry = DEFAULT_RETRY }: AnthropicOptions) {
    const base = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.#facts = { baseUrl: base, secrets: [...(apiKey ? [apiKey] : []), ...Object.values(headers)] };
    this.#retry = retry;
    this.#options = {
      // Some key must be given, or the SDK looks for one in places of its own.
      apiKey: apiKey ?? 'none',
      baseURL: base,
      defaultHeaders: { ...authentication(apiKey, base), ...headers },
      // A pause that nobody sees looks like a hang, so the retries are ours.
      maxRetries: 0,
      // The key is for this address and no other.
      fetchOptions: { redirect: 'manual' },
      logLevel: 'off',
    };
  }

  /** The SDK is large, and a start does not need it. */
  #client(): Promise<Anthropic> {
    this.#loading ??= import('@anthropic-ai/sdk').then(({ Anthropic }) => new Anthropic(this.#options));
    return this.#loading;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const endpoint = { ...this.#facts, model: request.model };
    const facts = await this.#factsOf(request.model, signal);
    const concessions = this.#concessionsOf(request.conversationId);
    let plan = concessions.plan(request);
    let index = 0;
    let shown = false;
    let attempt = 1;
    for (;;) {
      let failure: ProviderFailure;
      try {
        for await (const event of this.#attempt(toParams(request, plan, facts), index, signal)) {
          shown ||= event.type === 'block';
          yield event;
        }
        return;
      } catch (error) {
        signal.throwIfAborted();
        failure = explainFailure(error, endpoint);
      }
      if (shown) throw failure.error;
      const conceded = failure.refusal && concessions.concede(plan, failure.refusal, request);
      if (conceded) {
        plan = conceded.plan;
        if (conceded.notice) yield { type: 'block', index: index++, block: conceded.notice, done: true };
      } else {
        const at = this.#nextAttempt(attempt, failure);
        if (at === undefined) throw failure.error;
        yield { type: 'retrying', reason: failure.error.message, at, attempt: ++attempt };
        await pauseUntil(at, signal);
      }
    }
  }

  async windowOf(model: string, signal: AbortSignal): Promise<number | undefined> {
    return (await this.#factsOf(model, signal)).window;
  }

  async count(request: ModelRequest, signal: AbortSignal): Promise<number | undefined> {
    if (this.#cannotCount) return undefined;
    const facts = await this.#factsOf(request.model, signal);
    const plan = this.#concessionsOf(request.conversationId).plan(request);
    const { model, system, tools, messages, thinking } = toParams(request, plan, facts);
    const params = {
      model,
      messages,
      ...(system ? { system } : {}),
      ...(tools ? { tools } : {}),
      ...(thinking ? { thinking } : {}),
    };
    const key = createHash('sha256').update(JSON.stringify(params)).digest('hex');
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    try {
      const client = await this.#client();
      const { input_tokens } = await client.messages.countTokens(params, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(COUNT_PATIENCE_MS)]),
      });
      if (!Number.isInteger(input_tokens)) return undefined;
      if (this.#counts.size >= MOST_COUNTS) this.#counts.clear();
      this.#counts.set(key, input_tokens);
      return input_tokens;
    } catch (error) {
      // What is wrong beside that is told by the request for an answer.
      if (error instanceof NotFoundError) this.#cannotCount = true;
      return undefined;
    }
  }

  async complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    const params = toCompletionParams(request, await this.#factsOf(request.model, signal));
    for (let attempt = 1; ; attempt++) {
      try {
        const events: ModelEvent[] = [];
        for await (const event of this.#attempt(params, 0, signal)) events.push(event);
        return toCompletion(events);
      } catch (error) {
        signal.throwIfAborted();
        const failure = explainFailure(error, { ...this.#facts, model: request.model });
        const at = this.#nextAttempt(attempt, failure);
        if (at === undefined) throw failure.error;
        await pauseUntil(at, signal);
      }
    }
  }

  /**
   * The endpoint's own list, in its order (newest first at Anthropic).
   * @throws HostError with the reason in words.
   */
  async listModels(): Promise<ModelInfo[]> {
    return this.#explained(20_000, async signal => {
      const models: ModelInfo[] = [];
      const client = await this.#client();
      for await (const { id, display_name } of client.models.list({ limit: 100 }, { signal })) {
        if (typeof id === 'string') models.push({ id, name: display_name || id });
        if (models.length >= MOST_MODELS) break;
      }
      if (models.length > 0) return models;
      throw new HostError(
        'model.noList',
        `${shownUrl(this.#facts.baseUrl)} lists no models.`,
        'Type the name of a model.',
      );
    });
  }

  /** What the model can be told; all that may be tried where the endpoint says nothing. */
  async choices(model: string, signal: AbortSignal): Promise<ModelChoices> {
    const { thinking, thinkingOff, efforts } = await this.#factsOf(model, signal);
    return {
      thinking: thinking !== 'none',
      alwaysThinks: thinkingOff === 'never' && thinking !== 'none',
      ...(efforts ? { efforts: [...efforts] } : {}),
    };
  }

  /**
   * One tiny request of the same kind as the real ones.
   * @throws HostError with the reason in words.
   */
  async test(model: string): Promise<void> {
    const run = async (signal: AbortSignal) => {
      const messages = [{ role: 'user' as const, content: 'Say ok.' }];
      const stream = await this.#open({ model, max_tokens: 16, messages, stream: true }, signal);
      const builder = new AnswerBuilder(0);
      for await (const event of stream) [...builder.take(event)];
      [...builder.end()];
    };
    await this.#explained(60_000, run, model);
  }

  async *#attempt(
    params: MessageCreateParamsStreaming,
    firstIndex: number,
    signal: AbortSignal,
  ): AsyncIterable<ModelEvent> {
    const builder = new AnswerBuilder(firstIndex);
    try {
      for await (const event of await this.#open(params, signal)) yield* builder.take(event);
    } catch (error) {
      yield* builder.abandon();
      throw error;
    }
    // The SDK ends an aborted stream without a word.
    if (signal.aborted) {
      yield* builder.abandon();
      throw signal.reason;
    }
    yield* builder.end();
  }

  async #open(params: MessageCreateParamsStreaming, signal: AbortSignal) {
    const client = await this.#client();
    const { data, response } = await client.messages.create(params, { signal }).withResponse();
    const type = response.headers.get('content-type') ?? 'no type';
    if (type.includes('text/event-stream')) return data;
    await response.body?.cancel();
    throw new HostError(
      'model.notStream',
      `${shownUrl(this.#facts.baseUrl)} does not stream answers as the Messages API does (it sent ${type}).`,
      'Check the base URL on the Model screen.',
    );
  }

  async #factsOf(model: string, signal: AbortSignal): Promise<ModelFacts> {
    const known = this.#models.get(model);
    if (known) return known;
    const facts = await askForFacts(await this.#client(), model, this.#facts, signal);
    if (facts) this.#models.set(model, facts);
    return facts ?? NOTHING_KNOWN;
  }

  #concessionsOf(conversationId: string): Concessions {
    const concessions = this.#concessions.get(conversationId) ?? new Concessions();
    this.#concessions.set(conversationId, concessions);
    return concessions;
  }

  #nextAttempt(attempt: number, failure: ProviderFailure): number | undefined {
    if (!failure.passing) return undefined;
    const attempts = failure.unreachable ? Math.min(3, this.#retry.attempts) : this.#retry.attempts;
    const pause = pauseAfter(attempt, failure.wishMs, { ...this.#retry, attempts });
    return pause === undefined ? undefined : Date.now() + pause;
  }

  async #explained<T>(
    patienceMs: number,
    run: (signal: AbortSignal) => Promise<T>,
    model?: string,
  ): Promise<T> {
    const patience = AbortSignal.timeout(patienceMs);
    try {
      return await run(patience);
    } catch (error) {
      if (patience.aborted) throw notInTime(this.#facts.baseUrl, error);
      throw explainFailure(error, { ...this.#facts, ...(model ? { model } : {}) }).error;
    }
  }
}

const MOST_MODELS = 1000;
const MOST_COUNTS = 500;
const COUNT_PATIENCE_MS = 10_000;

/** The SDK sends the key as a bearer token; endpoints of other makers often know only the older header. */
function authentication(apiKey: string | undefined, baseUrl: string): Record<string, string | null> {
  if (apiKey === undefined) return { authorization: null };
  return baseUrl === DEFAULT_BASE_URL ? {} : { 'x-api-key': apiKey };
}
