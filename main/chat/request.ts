import type {
  MessageCreateParamsStreaming,
  MessageParam,
  ThinkingConfigParam,
} from '@anthropic-ai/sdk/resources/messages';
import { type Plan, wantsThinking } from './concessions.ts';
import { CACHED, toApiMessages, toApiTools, withCacheBreakpoints } from './context.ts';
import type { ModelRequest } from './model.ts';
import type { ModelFacts } from './modelFacts.ts';

/** The body of one request. Pure; the same conversation always gives the same bytes, or the prompt cache is lost. */
export function toParams(request: ModelRequest, plan: Plan, facts: ModelFacts): MessageCreateParamsStreaming {
  const kept = {
    ...plan.kept,
    images: plan.kept.images && facts.images !== false,
    documents: plan.kept.documents && facts.documents !== false,
  };
  const messages = toApiMessages(request.messages, request.model, kept);
  const tools = toApiTools(plan.tools, messages);
  const maxTokens = Math.min(request.maxTokens, facts.maxTokens ?? request.maxTokens);
  const { temperature, effort } = plan.wishes;
  const thinking = plan.saysThinking ? thinkingFor(request, plan, facts, maxTokens, messages) : undefined;
  return wellFormed({
    model: request.model,
    max_tokens: maxTokens,
    ...(thinking ? { thinking } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(effort && facts.efforts?.includes(effort) !== false ? { output_config: { effort } } : {}),
    ...(request.system === ''
      ? {}
      : { system: [{ type: 'text', text: request.system, cache_control: CACHED }] }),
    ...(tools.length > 0 ? { tools } : {}),
    messages: withCacheBreakpoints(messages),
    stream: true,
  });
}

const LARGEST_BUDGET = 8000;
const SMALLEST_BUDGET = 1024;

function thinkingFor(
  request: ModelRequest,
  plan: Plan,
  { thinking, thinkingOff }: ModelFacts,
  maxTokens: number,
  messages: readonly MessageParam[],
): ThinkingConfigParam | undefined {
  if (!wantsThinking(request, plan)) {
    // What the person asked for is tried where the endpoint does not say; most newer models think unless they are told.
    const isWorthIt = request.thinking === false || thinking === 'adaptive';
    return noThinking(thinkingOff ?? (isWorthIt ? 'disabled' : 'never'));
  }
  // Newer models leave the words of their thinking out unless they are asked for.
  if (thinking === 'adaptive') return { type: 'adaptive', display: 'summarized' };
  if (thinking === 'none' || runsToolsWithoutThinking(messages)) return undefined;
  // Thinking counts as part of the answer: at least half of it stays for what is said.
  const budget = Math.min(LARGEST_BUDGET, Math.floor(maxTokens / 2));
  return budget < SMALLEST_BUDGET ? undefined : { type: 'enabled', budget_tokens: budget };
}

export function noThinking(word: NonNullable<ModelFacts['thinkingOff']>): ThinkingConfigParam | undefined {
  return word === 'never' ? undefined : { type: word };
}

/**
 * Models with a budget refuse to think on from tools that were called without thinking: by another model, say, or
 * because that thinking was left out.
 */
function runsToolsWithoutThinking(messages: readonly MessageParam[]): boolean {
  const [answer, results] = messages.slice(-2).map(({ role, content }) => {
    const first = typeof content === 'string' ? undefined : content[0];
    return { role, first: first?.type };
  });
  if (answer?.role !== 'assistant' || results?.first !== 'tool_result') return false;
  return answer.first !== 'thinking' && answer.first !== 'redacted_thinking';
}

/** Half a character, which servers and pasted text can contain, makes the API refuse the whole body as no valid JSON. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]);
  return Object.fromEntries(entries) as T;
}
