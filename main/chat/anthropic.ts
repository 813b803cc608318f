import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { NoticeBlock } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import type { ModelInfo } from '../../shared/settings.ts';
import type { ModelTool } from '../tools/registry.ts';
import { AnswerBuilder } from './answerBuilder.ts';
import {
  CACHED,
  THINKING_LEFT_OUT,
  type ThinkingKept,
  toApiMessages,
  toApiTools,
  withCacheBreakpoints,
} from './context.ts';
import type { ChatModel, ModelEvent, ModelRequest } from './model.ts';
import { type EndpointFacts, explainFailure, type ProviderFailure, shownUrl } from './providerError.ts';
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

/** Any endpoint that speaks the Messages API with streaming. */
export class AnthropicModel implements ChatModel {
  readonly #client: Anthropic;
  readonly #facts: EndpointFacts;
  readonly #retry: RetryPolicy;
  /** Tools that the endpoint refused: left out for as long as this object is used. */
  readonly #refusedTools = new Set<string>();

  constructor({ apiKey, baseUrl, headers, retry = DEFAULT_RETRY }: AnthropicOptions) {
    const base = baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');
    this.#facts = { baseUrl: base, secrets: [...(apiKey ? [apiKey] : []), ...Object.values(headers)] };
    this.#retry = retry;
    this.#client = new Anthropic({
      // Some key must be given, or the SDK looks for one in places of its own.
      apiKey: apiKey ?? 'none',
      baseURL: base,
      defaultHeaders: { ...authentication(apiKey, base), ...headers },
      // A pause that nobody sees looks like a hang, so the retries are ours.
      maxRetries: 0,
      logLevel: 'off',
    });
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const facts = { ...this.#facts, model: request.model };
    let thinking: ThinkingKept = 'all';
    let index = 0;
    let shown = false;
    let attempt = 1;
    for (;;) {
      const tools = request.tools.filter(tool => !this.#refusedTools.has(tool.name));
      let failure: ProviderFailure;
      try {
        for await (const event of this.#attempt(request, tools, thinking, index, signal)) {
          shown ||= event.type === 'block';
          yield event;
        }
        return;
      } catch (error) {
        signal.throwIfAborted();
        failure = explainFailure(error, facts);
      }
      if (shown) throw failure.error;
      const tool = refusedTool(failure, tools);
      if (tool) {
        this.#refusedTools.add(tool.name);
        yield notice(index++, toolLeftOut(tool, failure.error));
      } else if (thinking !== 'none' && isThinkingRefusal(failure) && hasThinking(request)) {
        if (thinking === 'all') yield notice(index++, thinkingLeftOut);
        thinking = thinking === 'all' ? 'currentTurn' : 'none';
      } else {
        const at = this.#nextAttempt(attempt, failure);
        if (at === undefined) throw failure.error;
        yield { type: 'retrying', reason: failure.error.message, at, attempt: ++attempt };
        await pauseUntil(at, signal);
      }
    }
  }

  /**
   * The endpoint's own list, in its order (newest first at Anthropic).
   * @throws HostError with the reason in words.
   */
  async listModels(): Promise<ModelInfo[]> {
    return this.#explained(async () => {
      const models: ModelInfo[] = [];
      for await (const { id, display_name } of this.#client.models.list(
        { limit: 100 },
        { timeout: 20_000 },
      )) {
        if (typeof id === 'string') models.push({ id, name: display_name || id });
        if (models.length >= MOST_MODELS) break;
      }
      return models;
    });
  }

  /**
   * One tiny request of the same kind as the real ones.
   * @throws HostError with the reason in words.
   */
  async test(model: string): Promise<void> {
    await this.#explained(async () => {
      const messages = [{ role: 'user' as const, content: 'Say ok.' }];
      const stream = await this.#open({ model, max_tokens: 16, messages, stream: true }, { timeout: 60_000 });
      const builder = new AnswerBuilder(0);
      for await (const event of stream) [...builder.take(event)];
      [...builder.end()];
    }, model);
  }

  async *#attempt(
    request: ModelRequest,
    tools: readonly ModelTool[],
    thinking: ThinkingKept,
    firstIndex: number,
    signal: AbortSignal,
  ): AsyncIterable<ModelEvent> {
    const builder = new AnswerBuilder(firstIndex);
    try {
      for await (const event of await this.#open(toParams(request, tools, thinking), { signal }))
        yield* builder.take(event);
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

  async #open(params: MessageCreateParamsStreaming, options: { signal?: AbortSignal; timeout?: number }) {
    const { data, response } = await this.#client.messages.create(params, options).withResponse();
    const type = response.headers.get('content-type') ?? 'no type';
    if (type.includes('text/event-stream')) return data;
    await response.body?.cancel();
    throw new HostError(
      'model.notStream',
      `${shownUrl(this.#facts.baseUrl)} does not stream answers as the Messages API does (it sent ${type}).`,
      'Check the base URL on the Model screen.',
    );
  }

  #nextAttempt(attempt: number, failure: ProviderFailure): number | undefined {
    if (!failure.passing) return undefined;
    const attempts = failure.unreachable ? Math.min(3, this.#retry.attempts) : this.#retry.attempts;
    const pause = pauseAfter(attempt, failure.wishMs, { ...this.#retry, attempts });
    return pause === undefined ? undefined : Date.now() + pause;
  }

  async #explained<T>(run: () => Promise<T>, model?: string): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw explainFailure(error, { ...this.#facts, ...(model ? { model } : {}) }).error;
    }
  }
}

const MOST_MODELS = 1000;

function toParams(
  request: ModelRequest,
  tools: readonly ModelTool[],
  thinking: ThinkingKept,
): MessageCreateParamsStreaming {
  const messages = toApiMessages(request.messages, request.model, thinking);
  const apiTools = toApiTools(tools, messages);
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    system: [{ type: 'text', text: request.system, cache_control: CACHED }],
    ...(apiTools.length > 0 ? { tools: apiTools } : {}),
    messages: withCacheBreakpoints(messages),
    stream: true,
  };
}

/** The SDK sends the key as a bearer token; endpoints of other makers often know only the older header. */
function authentication(apiKey: string | undefined, baseUrl: string): Record<string, string | null> {
  if (apiKey === undefined) return { authorization: null };
  return baseUrl === DEFAULT_BASE_URL ? {} : { 'x-api-key': apiKey };
}

/** The tool that a 400 names, by its place in the request or by its name. */
function refusedTool({ refusal }: ProviderFailure, tools: readonly ModelTool[]): ModelTool | undefined {
  if (refusal === undefined) return undefined;
  const place = /\btools(?:\.|\[)(\d+)/.exec(refusal)?.[1];
  if (place !== undefined) return tools[Number(place)];
  if (!/\btools?\b/i.test(refusal)) return undefined;
  return tools.find(({ name }) => ['"', "'", '`'].some(quote => refusal.includes(`${quote}${name}${quote}`)));
}

function isThinkingRefusal({ refusal }: ProviderFailure): boolean {
  return refusal !== undefined && /signature|thinking/i.test(refusal);
}

function hasThinking({ messages }: ModelRequest): boolean {
  return messages.some(({ blocks }) => blocks.some(({ type }) => type === 'thinking' || type === 'opaque'));
}

function toolLeftOut(tool: ModelTool, error: HostError): NoticeBlock {
  return {
    type: 'notice',
    level: 'warning',
    code: 'tools.leftOut',
    message: `The endpoint does not accept the tool “${tool.name}”, so the model answers without it.`,
    hint: error.message,
  };
}

const thinkingLeftOut: NoticeBlock = {
  type: 'notice',
  level: 'info',
  code: THINKING_LEFT_OUT,
  message: 'The endpoint did not accept earlier thinking of the model, so it is no longer sent.',
};

function notice(index: number, block: NoticeBlock): ModelEvent {
  return { type: 'block', index, block, done: true };
}
