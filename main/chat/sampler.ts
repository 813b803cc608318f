import { HostError } from '../../shared/errors.ts';
import type { ModelInfo, ModelList } from '../../shared/settings.ts';
import type { Asks } from '../consent/asks.ts';
import type { SamplingOutcome, SamplingRequest } from '../servers/types.ts';
import type { ChatModel } from './model.ts';
import { SamplingBudget } from './samplingBudget.ts';

/** More than that no server gets in one answer, whatever it asks for. */
const MOST_TOKENS = 16_000;

export interface SamplerDeps {
  asks: Asks;
  model: { current(): { chatModel: ChatModel; model: string }; list(): Promise<ModelList> };
}

/**
 * Completes the prompts of servers with the model of the chat. The person sees and may change the prompt before
 * anything is sent, and the answer before the server gets it; without their word nothing happens.
 * @see the sampling page of the specification
 */
export class Sampler {
  readonly #deps: SamplerDeps;
  readonly #budgets = new Map<string, SamplingBudget>();

  constructor(deps: SamplerDeps) {
    this.#deps = deps;
  }

  /** @throws HostError when there is no language model, a limit is reached, or the person refuses */
  async sample(request: SamplingRequest, signal: AbortSignal): Promise<SamplingOutcome> {
    const { asks } = this.#deps;
    const { chatModel, model } = this.#deps.model.current();
    if (!chatModel.complete)
      throw new HostError('sampling.noModel', 'Parley has no language model to answer with at the moment.');
    const budget = this.#budgetOf(request.server);
    budget.ask();
    const about = {
      server: request.server,
      ...(request.conversationId === undefined ? {} : { conversationId: request.conversationId }),
    };
    const wished = await this.#wished(model, request.hints);
    const maxTokens = Math.max(1, Math.min(request.maxTokens, MOST_TOKENS));
    const { systemPrompt, messages, tools, hints } = request;
    const models = [...new Set([wished, model])];
    const prompt = await asks.ask(
      {
        kind: 'sampling',
        ...about,
        model: wished,
        models,
        hints,
        systemPrompt,
        messages,
        tools,
        maxTokens,
      },
      signal,
    );
    if (prompt.action === 'deny' || !models.includes(prompt.model)) throw refused('prompt', signal);
    const limit = Math.min(prompt.maxTokens, maxTokens);
    budget.spend(limit);
    const completion = await chatModel.complete(
      {
        model: prompt.model,
        system: prompt.systemPrompt,
        messages: prompt.messages,
        tools,
        toolChoice: request.toolChoice,
        maxTokens: limit,
        stopSequences: request.stopSequences,
      },
      signal,
    );
    const seen = await asks.ask(
      { kind: 'samplingResult', ...about, model: prompt.model, ...completion },
      signal,
    );
    if (seen.action === 'deny') throw refused('answer', signal);
    return { model: prompt.model, content: seen.content, stopReason: completion.stopReason };
  }

  #budgetOf(server: string): SamplingBudget {
    const budget = this.#budgets.get(server) ?? new SamplingBudget();
    this.#budgets.set(server, budget);
    return budget;
  }

  /** The first model that a hint names a part of; the person's own choice where it fits, or nothing else does. */
  async #wished(current: string, hints: readonly string[]): Promise<string> {
    if (hints.length === 0) return current;
    const { models } = await this.#deps.model.list();
    for (const hint of hints) {
      const fits = ({ id, name }: ModelInfo) =>
        [id, name].some(text => text.toLowerCase().includes(hint.toLowerCase()));
      if (fits({ id: current, name: current })) return current;
      const found = models.find(fits);
      if (found) return found.id;
    }
    return current;
  }
}

function refused(what: 'prompt' | 'answer', signal: AbortSignal): HostError {
  if (signal.aborted) return new HostError('sampling.ended', 'The request was ended before it was answered.');
  return what === 'prompt'
    ? new HostError('sampling.refused', 'The person did not agree to this prompt.')
    : new HostError('sampling.refused', 'The person did not agree to give out the answer.');
}
