/**
 * From the stored conversation to what the Messages API accepts. Pure: the same messages give the same bytes, so the
 * provider's prompt cache holds. Repairs are made on this copy only; what is stored stays as it happened.
 */
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageParam,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import { isAttachment } from '../../shared/attachments.ts';
import type { Block, Message, ToolCallBlock } from '../../shared/chat.ts';
import type { ModelTool } from '../tools/registry.ts';
import { toAttachmentParams } from './contextAttachment.ts';
import { toResultParam } from './contextResult.ts';
import { CALL_CUT } from './model.ts';
import { summarised, summaryText } from './summary.ts';

/** Notices that mean something to this module. */
export const TOOLS_CHANGED = 'tools.changed';
/** Thinking before such a notice was refused by the endpoint and is not sent any more. */
export const THINKING_LEFT_OUT = 'thinking.leftOut';

/** The same for pictures, in results and attached. */
export const IMAGES_LEFT_OUT = 'images.leftOut';
/** And for attached documents. */
export const DOCUMENTS_LEFT_OUT = 'documents.leftOut';

/** What of the history goes along. */
export interface Kept {
  thinking: 'all' | 'currentTurn' | 'none';
  images: boolean;
  documents: boolean;
}

export const ALL_KEPT: Kept = { thinking: 'all', images: true, documents: true };

/** @returns at least one message; the last is the user's, or a paused answer that the model goes on with. */
export function toApiMessages(
  messages: readonly Message[],
  model: string,
  kept: Kept = ALL_KEPT,
): MessageParam[] {
  const writer = new Writer();
  const parts = summarised(messages);
  const instead = summaryText(parts);
  if (instead) writer.user([asTextParam(instead)]);
  const sent = withoutRefused(parts.kept);
  const thinkingFrom = firstWithThinking(sent, kept.thinking);
  const imagesFrom = kept.images ? lastWithNotice(sent, IMAGES_LEFT_OUT) : sent.length;
  const documentsFrom = kept.documents ? lastWithNotice(sent, DOCUMENTS_LEFT_OUT) : sent.length;
  sent.forEach((message, index) => {
    const images = index >= imagesFrom;
    if (message.role === 'user')
      writer.user(ownParts(message.blocks, { images, documents: index >= documentsFrom }));
    else writeAnswer(writer, message, model, { thinking: index >= thinkingFrom, images });
  });
  return writer.end();
}

/** Marks the ends of what stays the same from request to request: at most two places, never on thinking. */
export function withCacheBreakpoints(messages: MessageParam[]): MessageParam[] {
  const userTurns = messages.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  const marked = new Set(userTurns.slice(-2));
  return messages.map((message, index) => {
    if (message.role !== 'user' || !marked.has(index) || typeof message.content === 'string') return message;
    const last = message.content.at(-1) as TextBlockParam;
    return { ...message, content: [...message.content.slice(0, -1), { ...last, cache_control: CACHED }] };
  });
}

export const CACHED: CacheControlEphemeral = { type: 'ephemeral' };

/** The registry's tools for the API, the last one with a cache breakpoint. */
export function toApiTools(tools: readonly ModelTool[], messages: readonly MessageParam[]): Tool[] {
  const offered = tools.map(({ name, description, inputSchema }) => ({
    name,
    ...(description ? { description } : {}),
    input_schema: inputSchema as Tool.InputSchema,
  }));
  // A history with calls is refused when the request defines no tool at all.
  if (offered.length === 0 && messages.some(hasCalls)) offered.push(NO_TOOL);
  return offered.map((tool, index) =>
    index === offered.length - 1 ? { ...tool, cache_control: CACHED } : tool,
  );
}

const NO_TOOL = {
  name: 'no_tool_available',
  description: 'There is no tool at the moment. Never call this.',
  input_schema: { type: 'object' as const, properties: {} },
};

function hasCalls(message: MessageParam): boolean {
  return typeof message.content !== 'string' && message.content.some(block => block.type === 'tool_use');
}

/** Writes API turns one after another and keeps the rules: turns alternate, results come first, ids are unique. */
class Writer {
  readonly #turns: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
  readonly #ids = new CallIds();
  /** The last assistant turn is paused: the model goes on with it as it is. */
  #paused = false;
  /** What the model must be told in the next user turn. */
  #untold: string[] = [];

  user(parts: readonly ContentBlockParam[]): void {
    const told = this.#untold.filter(isWritten).map(asTextParam);
    this.#untold = [];
    this.#paused = false;
    this.#add('user', [...told, ...parts]);
  }

  tell(text: string): void {
    this.#untold.push(text);
  }

  assistant(content: ContentBlockParam[], results: ContentBlockParam[], paused: boolean): void {
    if (content.length === 0) return;
    this.readyForAnswer();
    this.#add('assistant', content);
    this.#paused = paused && results.length === 0;
    this.#add('user', results);
  }

  /** Before an answer there is a user turn, unless the model goes on with a paused one. */
  readyForAnswer(): void {
    const last = this.#turns.at(-1);
    if (this.#paused && last) return;
    if (this.#untold.length > 0 && last) this.user(last.role === 'assistant' ? [asTextParam(GO_ON)] : []);
    else if (last === undefined) this.user([asTextParam(BEGINNING_MISSING)]);
    else if (last.role === 'assistant') this.user([asTextParam(GO_ON)]);
  }

  callId(id: string): string {
    return this.#ids.next(id);
  }

  end(): MessageParam[] {
    this.readyForAnswer();
    return this.#turns;
  }

  #add(role: 'user' | 'assistant', content: ContentBlockParam[]): void {
    if (content.length === 0) return;
    const last = this.#turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else this.#turns.push({ role, content: [...content] });
  }
}

/** What calls are named to the model: by ids that the API accepts, each of them once in a conversation. */
class CallIds {
  readonly #used = new Set<string>();

  next(id: string): string {
    const legal = id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
    let unique = legal;
    for (let count = 2; this.#used.has(unique); count++) unique = `${legal}_${count}`;
    this.#used.add(unique);
    return unique;
  }
}

/** The call that the model knows by this id. */
export function findCall(messages: readonly Message[], id: string): ToolCallBlock | undefined {
  const ids = new CallIds();
  const { older, kept } = summarised(messages);
  const callsOf = (some: readonly Message[]) => some.flatMap(({ blocks }) => blocks.filter(isSentCall));
  // One that only the summary tells of is known by the id that it had.
  return (
    callsOf(withoutRefused(kept)).find(call => ids.next(call.id) === id) ??
    callsOf(older).findLast(call => new CallIds().next(call.id) === id)
  );
}

function isSentCall(block: Block): block is ToolCallBlock {
  return block.type === 'toolCall' && block.error?.code !== CALL_CUT;
}

const GO_ON = 'Your last answer was interrupted. Go on from where it stopped.';
const BEGINNING_MISSING = 'The beginning of this conversation is missing.';

function writeAnswer(
  writer: Writer,
  message: Message,
  model: string,
  goes: { thinking: boolean; images: boolean },
): void {
  const paused = message.stopReason === 'pause_turn' && message.status === 'complete';
  const content: ContentBlockParam[] = [];
  const results: ContentBlockParam[] = [];
  const sameModel = message.model === model;
  // Thinking is signed in its place: behind a block that is missing or changed it is left out.
  let asReceived = true;
  for (const block of message.blocks) {
    if (block.type === 'summary') continue;
    if (block.type === 'notice') {
      if (block.code !== TOOLS_CHANGED) continue;
      writer.tell(block.message);
      // Told before the answer that the notice stands in front of.
      if (content.length === 0) writer.readyForAnswer();
      continue;
    }
    if (block.type === 'toolCall') {
      if (!isSentCall(block)) asReceived = false;
      else {
        const id = writer.callId(block.id);
        const name = asToolName(block.modelName);
        content.push({ type: 'tool_use', id, name, input: block.input });
        results.push(toResultParam(id, block, goes.images));
        asReceived &&= id === block.id && name === block.modelName;
      }
      continue;
    }
    const param = toBlockParam(block, message);
    const allowed = isThinking(param)
      ? sameModel && goes.thinking && asReceived
      : block.type === 'text' || sameModel;
    if (param && allowed) content.push(param);
    else asReceived = false;
  }
  // Only its own model goes on with a paused answer, and only with the whole of it.
  const received = content.length;
  dropTrailingThinking(content);
  const goesOn = paused && sameModel && asReceived && content.length === received;
  writer.assistant(content, results, goesOn);
}

/** Undefined for what cannot go back: nothing but space, unsigned, or possibly not whole. */
function toBlockParam(block: Block, { status }: Message): ContentBlockParam | undefined {
  switch (block.type) {
    case 'text':
      return isWritten(block.text) ? asTextParam(block.text) : undefined;
    case 'thinking':
      return block.signature
        ? { type: 'thinking', thinking: block.text, signature: block.signature }
        : undefined;
    case 'opaque': {
      const param = block.raw as unknown as ContentBlockParam;
      // Server-side calls and their results belong together: of an answer that was cut, only thinking is sure to be whole.
      return status === 'complete' || isThinking(param) ? param : undefined;
    }
    default:
      return undefined;
  }
}

/** An answer must not end in thinking, which one that was cut can. */
function dropTrailingThinking(content: ContentBlockParam[]): void {
  while (content.length > 0 && isThinking(content.at(-1))) content.pop();
}

function isThinking(param: { type: string } | undefined): boolean {
  return param?.type === 'thinking' || param?.type === 'redacted_thinking';
}

/**
 * A refused exchange is not sent again: the refusal itself never, and what led to it neither, unless that is what
 * the model is to answer now or has answered since.
 */
function withoutRefused(messages: readonly Message[]): Message[] {
  const kept: Message[] = [];
  for (let from = 0; from < messages.length; ) {
    let to = from + 1;
    while (to < messages.length && messages[to]?.role === 'assistant') to++;
    const exchange = messages.slice(from, to);
    const refused = exchange.at(-1)?.stopReason === 'refusal' && to < messages.length;
    if (!refused) kept.push(...exchange.filter(message => message.stopReason !== 'refusal'));
    from = to;
  }
  return kept;
}

/** The index of the first message whose thinking goes along. */
function firstWithThinking(messages: readonly Message[], kept: Kept['thinking']): number {
  if (kept === 'none') return messages.length;
  const refused = lastWithNotice(messages, THINKING_LEFT_OUT);
  if (kept === 'all') return refused;
  return Math.max(
    refused,
    messages.findLastIndex(message => message.role === 'user'),
  );
}

/** The index of the last message with such a notice; 0 when there is none. */
function lastWithNotice(messages: readonly Message[], code: string): number {
  const has = (block: Block) => block.type === 'notice' && block.code === code;
  return Math.max(
    0,
    messages.findLastIndex(({ blocks }) => blocks.some(has)),
  );
}

/** What the person wrote, and what they put beside it. */
function ownParts(
  blocks: readonly Block[],
  takes: { images: boolean; documents: boolean },
): ContentBlockParam[] {
  return blocks.flatMap((block): ContentBlockParam[] => {
    if (isAttachment(block)) return toAttachmentParams(block, takes);
    return block.type === 'text' && isWritten(block.text) ? [asTextParam(block.text)] : [];
  });
}

function asTextParam(text: string): TextBlockParam {
  return { type: 'text', text };
}

/** A model can ask for a name that no tool may have. */
function asToolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
}

function isWritten(text: string): boolean {
  return text.trim() !== '';
}
