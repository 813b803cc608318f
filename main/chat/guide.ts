import { randomUUID } from 'node:crypto';
import { isAttachment } from '../../shared/attachments.ts';
import type { Block, Message, ToolCallBlock } from '../../shared/chat.ts';
import { JsonObject, type ToolInfo } from '../../shared/tools.ts';
import type { Asks } from '../consent/asks.ts';
import type { Registry } from '../tools/registry.ts';
import { readArguments } from './guideArguments.ts';
import { findTools } from './guideSearch.ts';
import {
  attachmentsUnread,
  badJson,
  help,
  noMatch,
  noSuchCommand,
  nothingCalled,
  outcome,
  severalMatches,
} from './guideSpeech.ts';
import type { ChatModel, ModelEvent, ModelRequest } from './model.ts';

/**
 * The embedded default: no language model, and it says so. Finds the tool that fits what was typed, fills in what it
 * can read from it, asks for the rest, has the call made in the ordinary way and shows the result. The same words
 * and tools always lead to the same call; nothing leaves the machine but that call.
 */
export class GuideModel implements ChatModel {
  readonly #registry: Registry;
  readonly #asks: Asks;

  constructor(deps: { registry: Registry; asks: Asks }) {
    this.#registry = deps.registry;
    this.#asks = deps.asks;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const calls = endedCalls(request.messages);
    const next = calls.length > 0 ? calls.map(outcome).join('\n\n') : await this.#answer(request, signal);
    signal.throwIfAborted();
    const block: Block = typeof next === 'string' ? { type: 'text', text: next } : next;
    const unread: Block[] =
      calls.length === 0 && hasAttachments(request.messages)
        ? [{ type: 'text', text: attachmentsUnread }]
        : [];
    for (const [index, one] of [...unread, block].entries())
      yield { type: 'block', index, block: one, done: true };
    yield { type: 'end', stopReason: typeof next === 'string' ? 'end_turn' : 'tool_use' };
  }

  /** A call to make, or what to say instead. */
  async #answer(
    { messages, tools: offered, conversationId }: ModelRequest,
    signal: AbortSignal,
  ): Promise<string | ToolCallBlock> {
    const text = lastText(messages);
    const names = new Set(offered.map(({ name }) => name));
    const tools = this.#registry.list().filter(({ modelName }) => names.has(modelName));
    if (asksForHelp.test(text)) return help(tools, 'Here is what I can do.');
    if (text.startsWith('/')) return this.#command(text, tools, conversationId, signal);
    const found = findTools(text, tools);
    const [tool] = found;
    if (!tool) return noMatch(tools);
    if (found.length > 1)
      return severalMatches(found.map(one => ({ tool: one, args: readArguments(text, one).values })));
    const { values, missing, unread } = readArguments(text, tool);
    const unsure = missing.length > 0 || unread.length > 0;
    return this.#call(tool, values, unsure, conversationId, signal);
  }

  /** `/server tool {json}`: exactly that; without JSON the person is asked for what the tool requires. */
  #command(text: string, tools: readonly ToolInfo[], conversationId: string, signal: AbortSignal) {
    const tool = tools
      .filter(({ server, name }) => startsWithWord(text, `/${server} ${name}`))
      // A name may be the beginning of another.
      .sort((a, b) => b.server.length + b.name.length - a.server.length - a.name.length)[0];
    if (!tool) return noSuchCommand(text, tools);
    const json = text.slice(`/${tool.server} ${tool.name}`.length).trim();
    if (json === '') {
      const { missing, values } = readArguments('', tool);
      return this.#call(tool, values, missing.length > 0, conversationId, signal);
    }
    const parsed = parseObject(json);
    return typeof parsed === 'string' ? badJson(parsed, tool) : toCall(tool, parsed);
  }

  async #call(
    tool: ToolInfo,
    values: JsonObject,
    unsure: boolean,
    conversationId: string,
    signal: AbortSignal,
  ): Promise<string | ToolCallBlock> {
    if (!unsure) return toCall(tool, values);
    const answer = await this.#asks.ask(
      {
        kind: 'arguments',
        conversationId,
        server: tool.server,
        tool: tool.name,
        ...(tool.title === undefined ? {} : { title: tool.title }),
        schema: tool.inputSchema,
        values,
      },
      signal,
    );
    return answer.action === 'accept' ? toCall(tool, answer.content) : nothingCalled(tool);
  }
}

const asksForHelp = /^\W*(help|what can (you|i) do|what tools|which tools|list (the |all )?tools)\b/i;

function toCall(tool: ToolInfo, input: JsonObject): ToolCallBlock {
  return {
    type: 'toolCall',
    id: `guide_${randomUUID()}`,
    modelName: tool.modelName,
    input,
    status: 'pending',
  };
}

/** The calls of the answer that this one follows; one that was cut or stopped is begun anew. */
function endedCalls(messages: readonly Message[]): ToolCallBlock[] {
  const last = messages.findLast(message => message.status !== 'streaming');
  if (last?.role !== 'assistant' || last.status !== 'complete' || last.stopReason !== 'tool_use') return [];
  return last.blocks.filter(block => block.type === 'toolCall');
}

function lastText(messages: readonly Message[]): string {
  const blocks = messages.findLast(message => message.role === 'user')?.blocks ?? [];
  return blocks
    .flatMap(block => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
}

function hasAttachments(messages: readonly Message[]): boolean {
  return messages.findLast(message => message.role === 'user')?.blocks.some(isAttachment) ?? false;
}

function startsWithWord(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && /^(\s|\{|$)/.test(text.slice(prefix.length));
}

/** The object, or what is wrong with the JSON. */
function parseObject(json: string): JsonObject | string {
  try {
    const parsed = JsonObject.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : 'it is JSON, but no object';
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}
