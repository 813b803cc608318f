import type { Block, Message } from '../../shared/chat.ts';
import type { Effort } from '../../shared/conversationSettings.ts';
import type { SamplingBlock, SamplingMessage, SamplingTool } from '../../shared/sampling.ts';
import type { Usage } from '../../shared/usage.ts';
import type { ModelTool } from '../tools/registry.ts';

/** Whoever answers: a language model behind an endpoint, or the Guide. */
export interface ChatModel {
  /**
   * One answer, as it is written. Ends after an `end` event; throws when there is no whole answer: a HostError with
   * the reason, or the reason of `signal` when that fired.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** The longest prompt that a model can read, in tokens; undefined where nobody says. */
  windowOf?(model: string, signal: AbortSignal): Promise<number | undefined>;
  /** How many tokens a prompt has, counted by the endpoint; undefined where it does not count. */
  count?(request: ModelRequest, signal: AbortSignal): Promise<number | undefined>;
  /**
   * One answer to a prompt from outside that belongs to no conversation. Absent where there is no language model.
   * @throws HostError with the reason, or the reason of `signal`
   */
  complete?(request: CompletionRequest, signal: AbortSignal): Promise<Completion>;
}

/** A prompt in the terms of the sampling page of the specification. */
export interface CompletionRequest {
  model: string;
  /** Empty: none. */
  system: string;
  messages: SamplingMessage[];
  tools: SamplingTool[];
  toolChoice: 'auto' | 'required' | 'none' | undefined;
  maxTokens: number;
  stopSequences: string[];
}

export interface Completion {
  /** Text and tool_use blocks of the sampling page. */
  content: SamplingBlock[];
  /** In that page's words, such as `endTurn`. */
  stopReason: string;
  usage?: Usage;
}

export interface ModelRequest {
  conversationId: string;
  model: string;
  system: string;
  /** The conversation as stored; what of it an endpoint may see is decided in context.ts. */
  messages: Message[];
  tools: ModelTool[];
  maxTokens: number;
  effort?: Effort | undefined;
  /** false: it answers without thinking first. */
  thinking?: boolean | undefined;
  temperature?: number | undefined;
}

export type ModelEvent =
  /** A block began (possibly empty) or, when `done`, is finished. Indexes count up from 0 within one answer. */
  | { type: 'block'; index: number; block: Block; done: boolean }
  | { type: 'delta'; index: number; kind: 'text' | 'thinking' | 'input'; text: string }
  /** Nothing was shown yet; attempt number `attempt` starts at `at` (ms since the epoch). */
  | { type: 'retrying'; reason: string; at: number; attempt: number }
  /** What the request took so far; a later one replaces it. */
  | { type: 'usage'; usage: Usage }
  /** `stopReason`: the provider's raw word; null when it gave none. */
  | { type: 'end'; stopReason: string | null };

/** The error code of a call whose arguments did not arrive whole: it is never run and never sent back. */
export const CALL_CUT = 'call.cut';
