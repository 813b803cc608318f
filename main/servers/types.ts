import type { FetchLike } from '@modelcontextprotocol/client';
import type { TaskHandle } from '../../shared/chat.ts';
import type { Icon } from '../../shared/icons.ts';
import type { SamplingBlock, SamplingMessage, SamplingTool } from '../../shared/sampling.ts';
import type { JsonObject, ToolAnnotations } from '../../shared/tools.ts';

/** How a request to a remote server is sent: `fetch`, or something that acts as it does. */
export type Send = FetchLike;

/** A tool as its server listed it; odd but usable definitions are kept and explained in `problem`. */
export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  /** By the rules of revision 2025-11-25: it can only be called as a task. */
  needsTask?: boolean;
  /** What was wrong with the definition, for the server's page. */
  problem?: string;
}

export interface CallOptions {
  signal: AbortSignal;
  /** The conversation on whose behalf the tool runs: questions of the server are shown there. */
  conversationId?: string;
  /** The person can be asked about this call of that conversation: whether to go on waiting for it. */
  callId?: string;
  onProgress?(progress: { progress: number; total?: number; message?: string }): void;
  /** The server goes on with the call as a task: how it is now. Only when that has changed. */
  onTask?(task: TaskHandle): void;
}

/**
 * A prompt that a server wants completed. `includeContext` is not in it: nothing of the person's goes along. Nor is
 * the temperature, which the models of today do not have.
 */
export interface SamplingRequest {
  server: string;
  conversationId: string | undefined;
  systemPrompt: string;
  messages: SamplingMessage[];
  tools: SamplingTool[];
  toolChoice: 'auto' | 'required' | 'none' | undefined;
  maxTokens: number;
  stopSequences: string[];
  /** The names of models that the server would like, best first. */
  hints: string[];
}

export interface SamplingOutcome {
  model: string;
  content: SamplingBlock[];
  stopReason: string;
}

/** @throws HostError when the person refuses, a limit is reached or there is no language model */
export type Sample = (request: SamplingRequest, signal: AbortSignal) => Promise<SamplingOutcome>;
