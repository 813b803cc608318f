/** A prompt of the sampling page as the Messages API takes it, and the answer back. Pure. */
import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { HostError } from '../../shared/errors.ts';
import type { SamplingBlock } from '../../shared/sampling.ts';
import { JsonObject } from '../../shared/tools.ts';
import { readImage } from '../tools/imageType.ts';
import type { Completion, CompletionRequest, ModelEvent } from './model.ts';
import type { ModelFacts } from './modelFacts.ts';
import { noThinking, wellFormed } from './request.ts';

/**
 * Without thinking where the model can do without: that is not passed on, and would take from the few tokens that
 * most of such prompts allow.
 * @throws HostError `sampling.content` when something in it cannot be given to the model
 */
export function toCompletionParams(
  request: CompletionRequest,
  facts: ModelFacts,
): MessageCreateParamsStreaming {
  const { model, system, messages, tools, toolChoice, stopSequences } = request;
  const maxTokens = Math.min(request.maxTokens, facts.maxTokens ?? request.maxTokens);
  const thinking = noThinking(facts.thinkingOff ?? 'never');
  const stops = stopSequences.filter(text => text.trim() !== '');
  return wellFormed({
    model,
    max_tokens: maxTokens,
    messages: merged(messages.map(({ role, content }) => ({ role, content: content.flatMap(toParam) }))),
    stream: true,
    ...(thinking ? { thinking } : {}),
    ...(system.trim() === '' ? {} : { system }),
    ...(stops.length > 0 ? { stop_sequences: stops } : {}),
    ...(tools.length > 0 ? { tools: tools.map(toTool) } : {}),
    ...(tools.length > 0 && toolChoice ? { tool_choice: { type: CHOICES[toolChoice] } } : {}),
  });
}

/** The finished answer of a stream. */
export function toCompletion(events: readonly ModelEvent[]): Completion {
  const content = events.flatMap((event): SamplingBlock[] => {
    if (event.type !== 'block' || !event.done) return [];
    const { block } = event;
    if (block.type === 'text') return block.text === '' ? [] : [{ type: 'text', text: block.text }];
    if (block.type !== 'toolCall' || block.error) return [];
    return [{ type: 'tool_use', id: block.id, name: block.modelName, input: block.input }];
  });
  const end = events.find(event => event.type === 'end');
  const reason = end?.stopReason ?? 'end_turn';
  const counted = events.findLast(event => event.type === 'usage');
  return {
    content,
    stopReason: STOP_REASONS[reason] ?? reason,
    ...(counted ? { usage: counted.usage } : {}),
  };
}

const CHOICES = { auto: 'auto', required: 'any', none: 'none' } as const;

const STOP_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'endTurn',
  max_tokens: 'maxTokens',
  stop_sequence: 'stopSequence',
  tool_use: 'toolUse',
};

/** Turns of one side that follow each other are one turn; what is empty is none. */
function merged(messages: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[]): MessageParam[] {
  const turns: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
  for (const { role, content } of messages) {
    const last = turns.at(-1);
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  if (turns.length === 0) throw new HostError('sampling.content', 'There is nothing in the prompt.');
  return turns;
}

function toTool({ name, description, inputSchema }: CompletionRequest['tools'][number]): Tool {
  return {
    name,
    ...(description ? { description } : {}),
    input_schema: { type: 'object', ...inputSchema } as Tool.InputSchema,
  };
}

function toParam(block: SamplingBlock): ContentBlockParam[] {
  switch (block.type) {
    case 'tool_use':
      return [
        {
          type: 'tool_use',
          id: String(block.id),
          name: String(block.name),
          input: JsonObject.safeParse(block.input).data ?? {},
        },
      ];
    case 'tool_result':
      return [toResult(block)];
    default:
      return toPart(block);
  }
}

function toPart(block: SamplingBlock): (TextBlockParam | ImageBlockParam)[] {
  if (block.type === 'text') {
    const text = String(block.text);
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  }
  const image = block.type === 'image' ? readImage(String(block.data)) : undefined;
  if (!image)
    throw new HostError(
      'sampling.content',
      `The language model cannot be given content of type ${block.type}.`,
    );
  const media_type = image.mimeType as 'image/png';
  return [{ type: 'image', source: { type: 'base64', media_type, data: image.data } }];
}

function toResult({ toolUseId, content, isError }: SamplingBlock): ToolResultBlockParam {
  const blocks = (Array.isArray(content) ? content : []) as SamplingBlock[];
  return {
    type: 'tool_result',
    tool_use_id: String(toolUseId),
    content: blocks.flatMap(toPart),
    ...(isError === true ? { is_error: true } : {}),
  };
}
