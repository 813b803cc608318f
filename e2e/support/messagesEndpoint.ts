/**
 * A scripted endpoint that speaks the Messages API on loopback and is as strict as the real one: a request that
 * breaks a rule gets a 400 as a whole. Each request to /v1/messages takes the next reply of the script.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TITLE_INSTRUCTIONS } from '../../main/chat/titles.ts';
import { countTokens, PromptCache, type PromptUsage } from './promptCache.ts';
import { type Abilities, type ApiBlock, type ApiRequest, type Issued, violation } from './strictRequest.ts';

/** A content block, a pause until a promise settles, or the end of the connection right here. */
export type Piece = ApiBlock | { wait: Promise<unknown> } | typeof CUT;
export const CUT = Symbol('cut');

export type Reply =
  /** A whole answer, streamed or not as the request wants it. `stopReason`: `tool_use` when there is a call, else `end_turn`. */
  | { blocks: Piece[]; stopReason?: string | null; chunkBytes?: number }
  /** Raw server-sent events: objects are data under their `type`, strings are written as they are. */
  | {
      events: Iterable<Record<string, unknown> | string | { wait: Promise<unknown> } | typeof CUT>;
      chunkBytes?: number;
    }
  | { status: number; type?: string; message?: string; headers?: Record<string, string>; body?: string };

export interface RecordedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: ApiRequest;
  /** Why it was refused, if it was. */
  violation?: string;
  /** Settles when the answer is over; false: the client hung up before. */
  answered: Promise<boolean>;
}

export interface EndpointOptions {
  port?: number;
  /** When given, requests must bring it. */
  key?: string;
  /** What /v1/models lists, newest first. */
  models?: string[];
  modelsPerPage?: number;
  /** What a model can do, as /v1/models/{id} says and as is enforced. */
  abilities?: Record<string, Abilities>;
  /** The longest name of a tool: 128 at the real one. */
  nameLimit?: number;
  /** Whether it counts tokens under /v1/messages/count_tokens. */
  counts?: boolean;
  /** What a conversation is named; without it such a request, which is in no script, is refused. */
  title?: string;
}

export type MessagesEndpoint = Awaited<ReturnType<typeof startMessagesEndpoint>>;

function nameOf(title: string | undefined): Reply {
  return title === undefined
    ? { status: 400, message: 'This endpoint names no conversations.' }
    : { blocks: [{ type: 'text', text: title }] };
}

/** Starts it on a free port (or `port`). `close()` ends it with all its connections. */
export async function startMessagesEndpoint(options: EndpointOptions = {}) {
  const script: (Reply | ((request: ApiRequest) => Reply))[] = [];
  const requests: RecordedRequest[] = [];
  const issued: Issued[] = [];
  const waiting: (() => void)[] = [];
  const cache = new PromptCache();
  let counts = 0;
  const models = options.models ?? ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'];

  const server = createServer((request, response) => {
    void answer(request, response).catch(error => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const text = await textOf(request);
    if (options.key !== undefined && !brings(request, options.key))
      return sendError(response, 401, 'authentication_error', 'invalid x-api-key');
    if (pathname === '/v1/models') return sendModels(response, searchParams);
    if (pathname.startsWith('/v1/models/'))
      return sendModel(response, decodeURIComponent(pathname.slice('/v1/models/'.length)));
    if (pathname === '/v1/messages/count_tokens' && options.counts) {
      counts++;
      const input_tokens = countTokens(JSON.parse(text) as ApiRequest);
      return sendJson(response, 200, { input_tokens });
    }
    if (pathname !== '/v1/messages' || request.method !== 'POST')
      return sendError(response, 404, 'not_found_error', `Nothing at ${pathname}`);
    const body = JSON.parse(text) as ApiRequest;
    if (JSON.stringify(body.system ?? '').includes(TITLE_INSTRUCTIONS))
      return play(nameOf(options.title), body, response);
    const abilities = options.abilities?.[body.model];
    const refused =
      violation(body, issued, options.nameLimit ?? 128, abilities) ?? tooLong(body, abilities?.window);
    const answered = once(response, 'close').then(() => response.writableFinished);
    requests.push({
      path: pathname,
      headers: request.headers,
      body,
      answered,
      ...(refused ? { violation: refused } : {}),
    });
    for (const wake of waiting.splice(0)) wake();
    if (refused) return sendError(response, 400, 'invalid_request_error', refused);
    const next = script.shift();
    if (!next) return sendError(response, 400, 'invalid_request_error', 'The script has no reply left.');
    await play(typeof next === 'function' ? next(body) : next, body, response);
  }

  async function play(reply: Reply, body: ApiRequest, response: ServerResponse): Promise<void> {
    if ('status' in reply) {
      const { status, type = 'api_error', message = 'Scripted failure', headers } = reply;
      if (reply.body !== undefined) response.writeHead(status, headers).end(reply.body);
      else sendError(response, status, type, message, headers);
      return;
    }
    if ('blocks' in reply) {
      const blocks = reply.blocks.filter(isBlock);
      const stopReason = reply.stopReason === undefined ? naturalEnd(blocks) : reply.stopReason;
      issued.push({ model: body.model, blocks, paused: stopReason === 'pause_turn' });
      const usage = cache.take(body);
      if (!body.stream) return sendWhole(response, body.model, blocks, stopReason, usage);
      return stream(response, eventsOf(body.model, reply.blocks, stopReason, usage), reply.chunkBytes);
    }
    return stream(response, reply.events, reply.chunkBytes);
  }

  function sendModels(response: ServerResponse, query: URLSearchParams): void {
    const from = query.has('after_id') ? models.indexOf(query.get('after_id') as string) + 1 : 0;
    const page = models.slice(from, from + (options.modelsPerPage ?? 20));
    const ends = { first_id: page[0] ?? null, last_id: page.at(-1) ?? null };
    const has_more = from + page.length < models.length;
    sendJson(response, 200, { data: page.map(described), has_more, ...ends });
  }

  function sendModel(response: ServerResponse, id: string): void {
    if (models.includes(id)) sendJson(response, 200, described(id));
    else sendError(response, 404, 'not_found_error', `model: ${id}`);
  }

  function described(id: string) {
    const {
      thinking,
      thinkingOff,
      maxTokens = null,
      window = null,
      images,
      documents,
      efforts,
    } = options.abilities?.[id] ?? {};
    const types = {
      adaptive: { supported: thinking === 'adaptive' },
      enabled: { supported: thinking === 'manual' },
      ...(thinkingOff
        ? Object.fromEntries(
            ['disabled', 'between_tools'].map(type => [
              type,
              { supported: (thinkingOff as readonly string[]).includes(type) },
            ]),
          )
        : {}),
    };
    return {
      type: 'model',
      id,
      display_name: `Model ${id}`,
      created_at: '2026-01-01T00:00:00Z',
      max_tokens: maxTokens,
      max_input_tokens: window,
      capabilities: {
        thinking: { supported: thinking !== undefined, types },
        image_input: { supported: images !== false },
        pdf_input: { supported: documents !== false },
        ...(efforts
          ? { effort: Object.fromEntries(efforts.map(level => [level, { supported: true }])) }
          : {}),
      },
    };
  }

  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All requests to /v1/messages, refused ones too. */
    requests,
    /** The replies to come, first one next; a function makes its reply from the request. */
    script,
    /** How often tokens were counted. */
    counts: () => counts,
    /** Resolves when request number `count` (from 1) has arrived. */
    async arrived(count: number): Promise<RecordedRequest> {
      for (;;) {
        const request = requests[count - 1];
        if (request) return request;
        await new Promise<void>(resolve => waiting.push(resolve));
      }
    },
    async close(): Promise<void> {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Something for a script to wait at until the test opens it. */
export function gate(): { passed: Promise<void>; open(): void } {
  let open = () => {};
  const passed = new Promise<void>(resolve => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

/** Blocks for scripts. */
export const text = (value: string): ApiBlock => ({ type: 'text', text: value });
export const thinking = (value: string, signature: string): ApiBlock => ({
  type: 'thinking',
  thinking: value,
  signature,
});
export const toolUse = (id: string, name: string, input: Record<string, unknown>): ApiBlock => ({
  type: 'tool_use',
  id,
  name,
  input,
});

/** The raw events of a streamed answer up to its first block, for scripts of events. */
export function messageStart(model = 'claude-opus-5-5', prompt?: PromptUsage): Record<string, unknown> {
  const usage = { ...(prompt ?? { input_tokens: 9 }), output_tokens: 0 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    usage,
  };
  return { type: 'message_start', message };
}

/** The raw events of one block, its text or input in two deltas. */
export function blockEvents(index: number, block: ApiBlock): Record<string, unknown>[] {
  const delta = (value: Record<string, unknown>) => ({ type: 'content_block_delta', index, delta: value });
  const start = (value: ApiBlock) => ({ type: 'content_block_start', index, content_block: value });
  const stop = { type: 'content_block_stop', index };
  if (block.type === 'text') {
    const halves = split(String(block.text)).map(part => delta({ type: 'text_delta', text: part }));
    return [start({ ...block, text: '' }), ...halves, stop];
  }
  if (block.type === 'thinking') {
    const halves = split(String(block.thinking)).map(part =>
      delta({ type: 'thinking_delta', thinking: part }),
    );
    const signed = delta({ type: 'signature_delta', signature: block.signature });
    return [start({ type: 'thinking', thinking: '', signature: '' }), ...halves, signed, stop];
  }
  if (block.type === 'tool_use' || block.type === 'server_tool_use') {
    const halves = split(JSON.stringify(block.input)).map(part =>
      delta({ type: 'input_json_delta', partial_json: part }),
    );
    return [start({ ...block, input: {} }), ...halves, stop];
  }
  return [start(block), stop];
}

export function messageEnd(stopReason: string | null, tokens = 9): Record<string, unknown>[] {
  const delta = { stop_reason: stopReason, stop_sequence: null };
  return [{ type: 'message_delta', delta, usage: { output_tokens: tokens } }, { type: 'message_stop' }];
}

function* eventsOf(model: string, pieces: readonly Piece[], stopReason: string | null, usage: PromptUsage) {
  yield messageStart(model, usage);
  let index = 0;
  for (const piece of pieces) {
    if (isBlock(piece)) yield* blockEvents(index++, piece);
    else yield piece;
  }
  yield* messageEnd(stopReason, tokensOf(pieces.filter(isBlock)));
}

function tokensOf(blocks: readonly ApiBlock[]): number {
  return Math.ceil(JSON.stringify(blocks).length / 4);
}

async function stream(
  response: ServerResponse,
  events: Iterable<Record<string, unknown> | string | { wait: Promise<unknown> } | typeof CUT>,
  chunkBytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  const hungUp = once(response, 'close');
  for (const event of events) {
    if (event === CUT) return void response.destroy();
    if (isPause(event)) await Promise.race([event.wait, hungUp]);
    else if (typeof event === 'string') await write(response, event, chunkBytes);
    else await write(response, `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, chunkBytes);
    if (response.destroyed) return;
  }
  response.end();
}

/** Writes in pieces that may cut a character in two, each flushed on its own. */
async function write(response: ServerResponse, value: string, chunkBytes: number): Promise<void> {
  const bytes = Buffer.from(value);
  for (let from = 0; from < bytes.length && !response.destroyed; from += chunkBytes) {
    response.write(bytes.subarray(from, from + chunkBytes));
    if (chunkBytes < bytes.length) await new Promise(resolve => setImmediate(resolve));
  }
}

function sendWhole(
  response: ServerResponse,
  model: string,
  content: ApiBlock[],
  stopReason: string | null,
  prompt: PromptUsage,
): void {
  const usage = { ...prompt, output_tokens: tokensOf(content) };
  sendJson(response, 200, {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stopReason,
    usage,
  });
}

function sendError(
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  headers?: Record<string, string>,
): void {
  sendJson(response, status, { type: 'error', error: { type, message } }, headers);
}

function sendJson(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function brings(request: IncomingMessage, key: string): boolean {
  return request.headers['x-api-key'] === key || request.headers.authorization === `Bearer ${key}`;
}

function tooLong(request: ApiRequest, window: number | undefined): string | undefined {
  const tokens = window === undefined ? 0 : countTokens(request);
  return window !== undefined && tokens > window
    ? `prompt is too long: ${tokens} tokens > ${window} maximum`
    : undefined;
}

function naturalEnd(blocks: readonly ApiBlock[]): string {
  return blocks.some(block => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
}

function isBlock(piece: Piece): piece is ApiBlock {
  return typeof piece === 'object' && 'type' in piece;
}

function isPause(event: unknown): event is { wait: Promise<unknown> } {
  return typeof event === 'object' && event !== null && 'wait' in event;
}

function split(value: string): string[] {
  if (value.length < 2) return value === '' ? [] : [value];
  // By characters, so that no half of one is sent as a string of its own.
  const characters = [...value];
  const half = Math.ceil(characters.length / 2);
  return [characters.slice(0, half).join(''), characters.slice(half).join('')].filter(part => part !== '');
}
