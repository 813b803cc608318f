/** The rules of the Messages API that a whole request is refused for. */
import { checkSchema } from './strictSchema.ts';

export interface ApiBlock {
  type: string;
  [key: string]: unknown;
}

export interface ApiMessage {
  role: string;
  content: string | ApiBlock[];
}

export interface ApiRequest {
  model: string;
  max_tokens: number;
  system?: string | ApiBlock[];
  messages: ApiMessage[];
  tools?: {
    name: string;
    description?: string;
    input_schema: Record<string, unknown>;
    [key: string]: unknown;
  }[];
  stream?: boolean;
  thinking?: { type: string; budget_tokens?: number };
  temperature?: number;
  output_config?: { effort?: string };
  [key: string]: unknown;
}

/** What a model can do; what is not named it cannot. */
export interface Abilities {
  /** One that is `adaptive` thinks unless it is told not to. */
  thinking?: 'adaptive' | 'manual';
  /** The words by which it is told not to think; any other is refused. Without them it does not say and takes `disabled`. */
  thinkingOff?: readonly ('disabled' | 'between_tools')[];
  maxTokens?: number;
  /** The longest prompt, in tokens. */
  window?: number;
  /** false: refused. */
  images?: boolean;
  documents?: boolean;
  /** The levels it takes; without them it says nothing of effort and refuses any. */
  efforts?: readonly string[];
  /** false: refused. */
  temperature?: boolean;
}

/** An answer that the endpoint gave: its thinking must come back as it was, a paused one may be gone on with. */
export interface Issued {
  model: string;
  blocks: ApiBlock[];
  paused: boolean;
}

/** The first rule that the request breaks, in the words of an error; undefined when it is in order. */
export function violation(
  request: ApiRequest,
  issued: readonly Issued[],
  nameLimit: number,
  abilities: Abilities = {},
): string | undefined {
  return (
    checkText(request) ??
    checkFrame(request, issued) ??
    checkAbilities(request, abilities) ??
    checkWishes(request, abilities) ??
    checkTools(request, nameLimit) ??
    checkInputs(request, abilities) ??
    first(request.messages, (message, at) => checkContent(message, `messages.${at}`)) ??
    checkCalls(request) ??
    first(request.messages, (message, at) => checkThinking(message, at, request.model, issued)) ??
    checkBreakpoints(request)
  );
}

function checkFrame({ model, max_tokens, messages, system }: ApiRequest, issued: readonly Issued[]) {
  if (typeof model !== 'string' || model === '') return 'model: Field required';
  if (!Number.isInteger(max_tokens) || max_tokens < 1) return 'max_tokens: must be at least 1';
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required';
  if (messages[0]?.role !== 'user') return 'messages.0: the first message must be from the user';
  if (Array.isArray(system) && system.some(block => !isWritten(block.text)))
    return 'system: text content blocks must be non-empty';
  const wrong = messages.findIndex(({ role }) => role !== 'user' && role !== 'assistant');
  if (wrong >= 0) return `messages.${wrong}.role: unknown role`;
  const last = messages.at(-1);
  if (last?.role === 'assistant' && !goesOn(last, issued))
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  return undefined;
}

/** Half a character anywhere makes the whole body unreadable. */
function checkText(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.isWellFormed()
      ? undefined
      : 'The request body is not valid JSON: no low surrogate in string';
  if (typeof value !== 'object' || value === null) return undefined;
  return first(Object.entries(value), ([key, inner]) => checkText(key) ?? checkText(inner));
}

function checkAbilities({ thinking, max_tokens, messages }: ApiRequest, abilities: Abilities) {
  if (abilities.maxTokens !== undefined && max_tokens > abilities.maxTokens)
    return `max_tokens: ${max_tokens} > ${abilities.maxTokens}, which is the maximum allowed number of output tokens`;
  if (!thinking) return undefined;
  if (thinking.type === 'disabled' || thinking.type === 'between_tools') {
    const known: readonly string[] = abilities.thinkingOff ?? ['disabled'];
    return known.includes(thinking.type)
      ? undefined
      : `"thinking.type.${thinking.type}" is not supported for this model.`;
  }
  if (thinking.type === 'adaptive')
    return abilities.thinking === 'adaptive' ? undefined : 'adaptive thinking is not supported on this model';
  if (thinking.type !== 'enabled') return `thinking.type: unknown value ${thinking.type}`;
  if (abilities.thinking !== 'manual') return '"thinking.type.enabled" is not supported for this model.';
  const budget = thinking.budget_tokens ?? 0;
  if (budget < 1024 || budget >= max_tokens)
    return 'thinking.enabled.budget_tokens: must be at least 1024 and less than max_tokens';
  return checkThinkingFirst(messages);
}

function checkWishes({ thinking, temperature, output_config }: ApiRequest, abilities: Abilities) {
  if (temperature !== undefined && abilities.temperature === false)
    return '`temperature` is deprecated for this model.';
  const type = thinking?.type ?? abilities.thinking;
  if (temperature !== undefined && (type === 'adaptive' || type === 'enabled'))
    return '`temperature` may only be set to 1 when thinking is enabled.';
  const effort = output_config?.effort;
  if (effort !== undefined && !abilities.efforts?.includes(effort))
    return `output_config.effort: this model does not support the effort ${effort}`;
  return undefined;
}

function checkInputs({ messages }: ApiRequest, { images, documents }: Abilities): string | undefined {
  const all = JSON.stringify(messages.map(({ content }) => blocksOf(content).map(({ type }) => type)));
  if (images === false && all.includes('"image"')) return 'messages: this model does not support image input';
  if (documents === false && all.includes('"document"'))
    return 'messages: this model does not support PDF document input';
  return undefined;
}

/** With a budget of its own, thinking must stand first in an answer whose tools have just run. */
function checkThinkingFirst(messages: readonly ApiMessage[]): string | undefined {
  const [answer, results] = merged(messages).slice(-2);
  if (answer?.role !== 'assistant' || results?.blocks[0]?.type !== 'tool_result') return undefined;
  const type = answer.blocks[0]?.type ?? '';
  return /thinking$/.test(type)
    ? undefined
    : `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`.`;
}

/** Only a paused answer may come last, and only as it was. */
function goesOn({ content }: ApiMessage, issued: readonly Issued[]): boolean {
  const paused = issued.filter(answer => answer.paused);
  return paused.some(({ blocks }) => {
    const tail = Array.isArray(content) ? content.slice(-blocks.length) : [];
    return canonical(tail) === canonical(blocks);
  });
}

function checkTools({ tools = [], messages }: ApiRequest, nameLimit: number): string | undefined {
  const usesTools = messages.some(({ content }) => blocksOf(content).some(({ type }) => type === 'tool_use'));
  if (usesTools && tools.length === 0)
    return 'Requests which include `tool_use` or `tool_result` blocks must define tools';
  const legal = new RegExp(`^[a-zA-Z0-9_-]{1,${nameLimit}}$`);
  return first(tools, (tool, at) => {
    if (!legal.test(tool.name))
      return `tools.${at}.custom.name: String should match pattern '${legal.source}'`;
    if (tools.findIndex(({ name }) => name === tool.name) < at) return 'tools: Tool names must be unique.';
    return checkSchema(tool.input_schema, `tools.${at}.custom.input_schema`);
  });
}

function checkContent({ content, role }: ApiMessage, path: string): string | undefined {
  if (typeof content === 'string')
    return isWritten(content) ? undefined : `${path}: content must be non-empty`;
  if (content.length === 0) return `${path}: content must be non-empty`;
  if (role === 'assistant' && /thinking$/.test(content.at(-1)?.type ?? ''))
    return `${path}: The final block in an assistant message cannot be \`thinking\`.`;
  return first(content, (block, at) => checkBlock(block, `${path}.content.${at}`, role));
}

function checkBlock(block: ApiBlock, path: string, role: string): string | undefined {
  switch (block.type) {
    case 'text':
      return isWritten(block.text)
        ? undefined
        : `${path}: text content blocks must contain non-whitespace text`;
    case 'image':
      return checkImage(block.source as Record<string, unknown>, path);
    case 'document':
      return role === 'user' ? checkDocument(block, path) : `${path}: document blocks are for user messages`;
    case 'tool_use':
      if (!/^[a-zA-Z0-9_-]+$/.test(String(block.id)))
        return `${path}.tool_use.id: String should match pattern`;
      if (!/^[a-zA-Z0-9_-]{1,200}$/.test(String(block.name)))
        return `${path}.tool_use.name: String should match`;
      return isObject(block.input) ? undefined : `${path}.tool_use.input: Input should be a valid dictionary`;
    case 'tool_result':
      if (typeof block.content === 'string' || block.content === undefined) return undefined;
      return first(block.content as ApiBlock[], (inner, at) =>
        checkBlock(inner, `${path}.content.${at}`, role),
      );
    case 'thinking':
      return typeof block.signature === 'string' && block.signature !== ''
        ? undefined
        : `${path}: signature required`;
    default:
      return undefined;
  }
}

const magic: Record<string, (bytes: Buffer) => boolean> = {
  'image/png': bytes => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': bytes => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/gif': bytes => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1')),
  'image/webp': bytes => /^RIFF[\s\S]{4}WEBP/.test(bytes.subarray(0, 12).toString('latin1')),
};

function checkDocument({ source, title }: ApiBlock, path: string): string | undefined {
  const { type, media_type, data } = source as Record<string, unknown>;
  if (title !== undefined && typeof title !== 'string')
    return `${path}.document.title: Input should be a string`;
  if (type === 'text') return isWritten(data) ? undefined : `${path}.document.source.data: must be non-empty`;
  if (type !== 'base64' || media_type !== 'application/pdf')
    return `${path}.document.source.base64.media_type: Input should be 'application/pdf'`;
  const bytes = Buffer.from(String(data), 'base64');
  if (bytes.toString('base64') !== data) return `${path}.document.source.base64.data: invalid base64 data`;
  return bytes.subarray(0, 5).toString('latin1') === '%PDF-'
    ? undefined
    : `${path}.document.source.base64.data: The PDF specified was not valid.`;
}

const MOST_OF_AN_IMAGE = 5 * 1024 * 1024;

function checkImage(source: Record<string, unknown>, path: string): string | undefined {
  const media = String(source.media_type);
  const matches = magic[media];
  if (!matches)
    return `${path}.source.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`;
  const data = String(source.data);
  if (data.length > MOST_OF_AN_IMAGE)
    return `${path}.image.source.base64: image exceeds 5 MB maximum: ${data.length} bytes > ${MOST_OF_AN_IMAGE} bytes`;
  const bytes = Buffer.from(data, 'base64');
  if (media === 'image/png' && bytes.length >= 24) {
    const longest = Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
    if (longest === 0) return `${path}.image.source.base64: Could not process image`;
    if (longest > 8000)
      return `${path}.image.source.base64: At least one of the image dimensions exceed max allowed size: 8000 pixels`;
  }
  return matches(bytes)
    ? undefined
    : `${path}.image.source.base64: The image was specified using the ${media} media type, but does not appear to be one`;
}

/** Every call has its result in the very next user turn, results first; no other results; no id twice. */
function checkCalls({ messages }: ApiRequest): string | undefined {
  const turns = merged(messages);
  const seen = new Set<unknown>();
  return first(turns, ({ role, blocks }, at) => {
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    const twice = calls.find(id => seen.has(id) || calls.indexOf(id) !== calls.lastIndexOf(id));
    if (twice !== undefined) return `messages: \`tool_use\` ids must be unique: ${twice}`;
    for (const id of calls) seen.add(id);
    const results = blocks.filter(({ type }) => type === 'tool_result').map(block => block.tool_use_id);
    if (role === 'user') {
      const asked = idsOf(turns[at - 1]?.blocks ?? []);
      const orphan = results.find(id => !asked.includes(id));
      if (orphan !== undefined)
        return `messages: unexpected \`tool_use_id\` in \`tool_result\` blocks: ${orphan}`;
      if (new Set(results).size !== results.length)
        return 'messages: each `tool_use` must have a single result';
      if (blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
        return 'messages: `tool_result` blocks must come first';
      return undefined;
    }
    const answered = (turns[at + 1]?.blocks ?? []).flatMap(block =>
      block.type === 'tool_result' ? [block.tool_use_id] : [],
    );
    const open = calls.find(id => !answered.includes(id));
    return open === undefined
      ? undefined
      : `messages: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open}`;
  });
}

function idsOf(blocks: readonly ApiBlock[]): unknown[] {
  return blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
}

/** The API joins neighbours of one role. */
function merged(messages: readonly ApiMessage[]): { role: string; blocks: ApiBlock[] }[] {
  const turns: { role: string; blocks: ApiBlock[] }[] = [];
  for (const { role, content } of messages) {
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocksOf(content));
    else turns.push({ role, blocks: [...blocksOf(content)] });
  }
  return turns;
}

/** Thinking is what was issued to this model, and stands behind the same block as then. */
function checkThinking(message: ApiMessage, at: number, model: string, issued: readonly Issued[]) {
  const blocks = blocksOf(message.content);
  return first(blocks, (block, place) => {
    if (block.type !== 'thinking' && block.type !== 'redacted_thinking') return undefined;
    const known = issued.some(
      answer =>
        answer.model === model &&
        answer.blocks.some(
          (original, index) =>
            same(original, block) && (index === 0 || same(answer.blocks[index - 1], blocks[place - 1])),
        ),
    );
    return known ? undefined : `messages.${at}.content.${place}: Invalid \`signature\` in \`thinking\` block`;
  });
}

function checkBreakpoints({ system, tools = [], messages }: ApiRequest): string | undefined {
  const all: Record<string, unknown>[] = [
    ...(Array.isArray(system) ? system : []),
    ...tools,
    ...messages.flatMap(({ content }) => blocksOf(content)),
  ];
  const marked = all.filter(block => block.cache_control);
  if (marked.length > 4) return 'A maximum of 4 blocks with cache_control may be provided.';
  if (marked.some(({ type }) => /thinking$/.test(String(type))))
    return 'cache_control cannot be set on thinking';
  return undefined;
}

function blocksOf(content: string | ApiBlock[]): ApiBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function same(a: ApiBlock | undefined, b: ApiBlock | undefined): boolean {
  return canonical(a) === canonical(b);
}

/** JSON with sorted keys and without cache marks, which are not part of what a block says. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (key, inner: unknown) => {
    if (key === 'cache_control') return undefined;
    return isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  });
}

function first<T>(
  items: readonly T[],
  check: (item: T, at: number) => string | undefined,
): string | undefined {
  for (const [at, item] of items.entries()) {
    const found = check(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isWritten(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
