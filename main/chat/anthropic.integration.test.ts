import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  blockEvents,
  CUT,
  type EndpointOptions,
  gate,
  messageEnd,
  messageStart,
  startMessagesEndpoint,
  text,
  thinking,
  toolUse,
} from '../../e2e/support/messagesEndpoint.ts';
import type { Message } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import type { ModelTool } from '../tools/registry.ts';
import { AnthropicModel } from './anthropic.ts';
import type { ModelEvent, ModelRequest } from './model.ts';

const KEY = 'sk-secret-0123456789';
const retry = { attempts: 3, firstPauseMs: 1, longestPauseMs: 2 };

async function start(options: EndpointOptions = {}, headers: Record<string, string> = {}) {
  const endpoint = await startMessagesEndpoint(options);
  onTestFinished(() => endpoint.close());
  return { endpoint, model: new AnthropicModel({ apiKey: KEY, baseUrl: endpoint.url, headers, retry }) };
}

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  const fixed = {
    conversationId: 'c',
    model: 'claude-opus-5-5',
    system: 'Be good.',
    tools: [],
    maxTokens: 100,
  };
  return { ...fixed, messages: [message('user', 'hello')], ...more };
}

function message(role: Message['role'], words: string): Message {
  const blocks: Message['blocks'] = [{ type: 'text', text: words }];
  return { id: 'm', conversationId: 'c', createdAt: 0, status: 'complete', role, blocks };
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<{ events: ModelEvent[]; error: unknown }> {
  const seen: ModelEvent[] = [];
  try {
    for await (const event of events) seen.push(event);
    return { events: seen, error: undefined };
  } catch (error) {
    return { events: seen, error };
  }
}

const run = (
  model: AnthropicModel,
  more: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
) => collect(model.stream(request(more), signal));
const finished = (events: ModelEvent[]) =>
  events.flatMap(event => (event.type === 'block' && event.done ? [event.block] : []));
const tool = (name: string, inputSchema: ModelTool['inputSchema'] = { type: 'object' }): ModelTool => ({
  name,
  description: name,
  inputSchema,
});

describe('an answer', () => {
  it('arrives in blocks and deltas, whatever pieces the bytes come in', async () => {
    const { endpoint, model } = await start();
    const blocks = [
      thinking('Schritt é 1 🙂', 'SIG'),
      { type: 'redacted_thinking', data: 'ENC' },
      text('Grüße 🙂 aus Wien'),
      toolUse('t1', 'add', { a: 1, b: 'ü' }),
    ];
    endpoint.script.push({ blocks, chunkBytes: 3 });
    const { events, error } = await run(model, { tools: [tool('add')] });
    expect(error).toBeUndefined();
    expect(finished(events)).toEqual([
      { type: 'thinking', text: 'Schritt é 1 🙂', signature: 'SIG' },
      { type: 'opaque', raw: { type: 'redacted_thinking', data: 'ENC' } },
      { type: 'text', text: 'Grüße 🙂 aus Wien' },
      { type: 'toolCall', id: 't1', modelName: 'add', input: { a: 1, b: 'ü' }, status: 'pending' },
    ]);
    const deltas = events.flatMap(event =>
      event.type === 'delta' && event.kind === 'text' ? [event.text] : [],
    );
    expect(deltas.join('')).toBe('Grüße 🙂 aus Wien');
    expect(events.at(-1)).toEqual({ type: 'end', stopReason: 'tool_use' });
  });

  it('keeps blocks of kinds that it does not know, and skips unknown events', async () => {
    const { endpoint, model } = await start();
    const block = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } };
    endpoint.script.push({
      events: [
        messageStart(),
        { type: 'brand_new_event', index: 0 },
        ...blockEvents(0, block),
        ...blockEvents(1, { type: 'web_search_tool_result', tool_use_id: 's1', content: [] }),
        ...messageEnd('pause_turn'),
      ],
    });
    const { events } = await run(model);
    expect(finished(events)).toEqual([
      { type: 'opaque', raw: block },
      { type: 'opaque', raw: { type: 'web_search_tool_result', tool_use_id: 's1', content: [] } },
    ]);
  });

  it('is not over when the connection ends in the middle, and hands out what there was', async () => {
    const { endpoint, model } = await start();
    const begun = blockEvents(0, text('The first step is')).slice(0, 2);
    const seen = gate();
    endpoint.script.push({ events: [messageStart(), ...begun, { wait: seen.passed }, CUT] });
    const events: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of model.stream(request(), new AbortController().signal)) {
        events.push(event);
        if (event.type === 'delta') seen.open();
      }
    })();
    const error = await reading.catch((reason: unknown) => reason);
    expect(finished(events)).toEqual([{ type: 'text', text: 'The first' }]);
    expect(error).toBeInstanceOf(HostError);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('marks a call that did not arrive whole, even when only its last brace is missing', async () => {
    const { endpoint, model } = await start();
    const [begin, ...rest] = blockEvents(0, toolUse('t1', 'write', {}));
    const json = (partial_json: string) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json },
    });
    const events = [
      messageStart(),
      begin ?? {},
      json('{"content":"line 1"'),
      rest.at(-1) ?? {},
      ...messageEnd('tool_use'),
    ];
    endpoint.script.push({ events });
    expect(finished((await run(model, { tools: [tool('write')] })).events)).toMatchObject([
      { type: 'toolCall', input: {}, status: 'failed', error: { code: 'call.cut' } },
    ]);
  });
});

describe('a failure that passes', () => {
  it('is retried with the pause that the server asks for, and says so', async () => {
    const { endpoint, model } = await start();
    endpoint.script.push(
      { status: 529, type: 'overloaded_error', message: 'Overloaded', headers: { 'retry-after-ms': '30' } },
      { status: 429, type: 'rate_limit_error', message: 'Slow down' },
      { blocks: [text('Here I am.')] },
    );
    const before = Date.now();
    const { events } = await run(model);
    expect(events.filter(event => event.type === 'retrying')).toMatchObject([
      { reason: 'The provider is overloaded.', attempt: 2 },
      { reason: 'Too many requests: Slow down', attempt: 3 },
    ]);
    expect(Date.now() - before).toBeGreaterThanOrEqual(30);
    expect(finished(events)).toEqual([{ type: 'text', text: 'Here I am.' }]);
  });

  it('is not retried for ever', async () => {
    const { endpoint, model } = await start();
    for (let count = 0; count < 5; count++) endpoint.script.push({ status: 500, message: 'broken' });
    const { error } = await run(model);
    expect(error).toMatchObject({ code: 'model.serverError', message: 'The provider failed (500): broken' });
    expect(endpoint.requests).toHaveLength(3);
  });

  it('is retried when it comes as an event before anything was shown, not after', async () => {
    const { endpoint, model } = await start();
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    endpoint.script.push(
      { events: [messageStart(), overloaded] },
      { events: [messageStart(), ...blockEvents(0, text('The first step is')), overloaded] },
    );
    const { events, error } = await run(model);
    expect(finished(events)).toEqual([{ type: 'text', text: 'The first step is' }]);
    expect(error).toMatchObject({ code: 'model.overloaded' });
    expect(endpoint.requests).toHaveLength(2);
  });

  it('to say what the model can do does not hold up Stop', async () => {
    const silent = createHttpServer().listen(0, '127.0.0.1');
    onTestFinished(() => silent.closeAllConnections());
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const model = new AnthropicModel({
      apiKey: KEY,
      baseUrl: `http://127.0.0.1:${port}`,
      headers: {},
      retry,
    });
    const stop = new AbortController();
    const running = run(model, {}, stop.signal);
    await once(silent, 'request');
    const before = Date.now();
    stop.abort();
    expect((await running).error).toMatchObject({ name: 'AbortError' });
    expect(Date.now() - before).toBeLessThan(3000);
  });

  it('is left at once by Stop, however long the pause', async () => {
    const { endpoint, model } = await start();
    endpoint.script.push({ status: 503, headers: { 'retry-after': '60' } });
    const stop = new AbortController();
    const before = Date.now();
    for await (const event of tolerant(model.stream(request(), stop.signal)))
      if (event.type === 'retrying') {
        expect(event.at).toBeGreaterThan(before + 50_000);
        stop.abort();
      }
    expect(Date.now() - before).toBeLessThan(5000);
  });
});

describe('a failure', () => {
  it.each([
    [401, 'authentication_error', `invalid key ${KEY}`, 'model.keyRefused', /refused the API key/],
    [403, 'permission_error', 'no', 'model.forbidden', /may not/],
    [
      404,
      'not_found_error',
      'model: claude-x',
      'model.notFound',
      /does not know the model “claude-opus-5-5”/,
    ],
    [404, 'not_found_error', 'nothing here', 'model.notFound', /Nothing answers under http/],
    [413, 'request_too_large', 'big', 'model.tooLarge', /too large/],
    [400, 'invalid_request_error', 'messages: odd', 'model.badRequest', /messages: odd/],
  ])('with status %i (%s) is told in words, without the key', async (status, type, said, code, words) => {
    const { endpoint, model } = await start();
    endpoint.script.push({ status, type, message: said });
    const { error } = await run(model);
    expect(error).toMatchObject({ code, message: expect.stringMatching(words), hint: expect.any(String) });
    expect(JSON.stringify([(error as HostError).message, (error as HostError).hint])).not.toContain(KEY);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('to connect is told in words', async () => {
    const refused = new AnthropicModel({ apiKey: KEY, baseUrl: await closedPort(), headers: {}, retry });
    expect((await run(refused)).error).toMatchObject({
      code: 'model.refused',
      message: /Nothing answers at .* refused/,
    });
    const unknown = new AnthropicModel({
      apiKey: KEY,
      baseUrl: 'http://nowhere.invalid',
      headers: {},
      retry,
    });
    expect((await run(unknown)).error).toMatchObject({ code: 'model.dns' });
    const plain = await closedSoon();
    const tls = new AnthropicModel({ apiKey: KEY, baseUrl: plain, headers: {}, retry });
    expect((await run(tls)).error).toMatchObject({ code: 'model.tls' });
  });

  it('to stay at its address is told in words, and the key does not go elsewhere', async () => {
    const { endpoint: other } = await start();
    const { endpoint, model } = await start();
    endpoint.script.push({ status: 307, headers: { location: `${other.url}/v1/messages` } });
    expect((await run(model)).error).toMatchObject({
      code: 'model.redirect',
      message: expect.stringContaining(other.url),
    });
    expect(other.requests).toEqual([]);
  });

  it('to answer as the Messages API does is told in words', async () => {
    const { endpoint, model } = await start();
    endpoint.script.push({ status: 200, body: '<h1>Welcome</h1>', headers: { 'content-type': 'text/html' } });
    expect((await run(model)).error).toMatchObject({ code: 'model.notStream', message: /text\/html/ });
  });
});

describe('a request that is refused for one part', () => {
  it('is sent again without the tool that the refusal names', async () => {
    const { endpoint, model } = await start();
    endpoint.script.push({ blocks: [text('ok')] });
    const tools = [tool('good'), tool('bad', { type: 'object', anyOf: [] }), tool('fine')];
    const { events } = await run(model, { tools });
    expect(finished(events)).toMatchObject([
      { type: 'notice', code: 'tools.leftOut', message: /“bad”/ },
      { type: 'text', text: 'ok' },
    ]);
    expect(events.flatMap(event => (event.type === 'block' ? [event.index] : []))).toEqual([0, 1, 1]);
    expect(endpoint.requests.map(({ body }) => body.tools?.map(({ name }) => name))).toEqual([
      ['good', 'bad', 'fine'],
      ['good', 'fine'],
    ]);
    // Not tried again in this conversation, unless its server has changed it.
    endpoint.script.push({ blocks: [text('ok')] }, { blocks: [text('ok')] });
    const again = await run(model, { tools });
    expect(finished(again.events)).toEqual([{ type: 'text', text: 'ok' }]);
    await run(model, { tools: [tool('bad')] });
    expect(endpoint.requests[3]?.body.tools).toMatchObject([{ name: 'bad' }]);
    expect(endpoint.requests).toHaveLength(4);
  });

  it('is sent again without pictures when one is refused, and the person is told', async () => {
    const { endpoint, model } = await start();
    endpoint.script.push({ blocks: [text('ok')] });
    const broken = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)]);
    const image = { type: 'image', mimeType: 'image/png', data: broken.toString('base64') };
    const call: Message['blocks'][number] = {
      type: 'toolCall',
      id: 't1',
      modelName: 'shot',
      input: {},
      status: 'done',
      result: { content: [image, { type: 'text', text: 'the page' }] },
    };
    const earlier: Message = { ...message('assistant', ''), model: 'claude-opus-5-5', blocks: [call] };
    const { events, error } = await run(model, {
      messages: [message('user', 'q'), earlier],
      tools: [tool('shot')],
    });
    expect(error).toBeUndefined();
    expect(endpoint.requests.map(({ violation }) => violation)).toEqual([
      expect.stringContaining('Could not process image'),
      undefined,
    ]);
    expect(finished(events)).toMatchObject([{ code: 'images.leftOut' }, { type: 'text', text: 'ok' }]);
    expect(endpoint.requests[1]?.body.messages.at(-1)?.content).toMatchObject([
      { content: [{ text: expect.stringContaining('picture') }, { text: 'the page' }] },
    ]);
  });

  it('is sent once more without earlier thinking when that is refused', async () => {
    const { endpoint, model } = await start();
    endpoint.script.push({ blocks: [text('ok')] });
    const earlier: Message = {
      ...message('assistant', 'hi'),
      model: 'claude-opus-5-5',
      blocks: [
        { type: 'thinking', text: 'made elsewhere', signature: 'WRONG' },
        { type: 'text', text: 'hi' },
      ],
    };
    const messages = [message('user', 'q'), earlier, message('user', 'more')];
    const { events, error } = await run(model, { messages });
    expect(error).toBeUndefined();
    expect(finished(events)).toMatchObject([{ code: 'thinking.leftOut' }, { type: 'text', text: 'ok' }]);
    expect(endpoint.requests).toHaveLength(2);
  });
});

describe('thinking', () => {
  const told = (endpoint: Awaited<ReturnType<typeof start>>['endpoint']) =>
    endpoint.requests.map(({ body }) => body.thinking?.type);

  it.each([
    ['adaptive', { type: 'adaptive', display: 'summarized' }],
    ['manual', { type: 'enabled', budget_tokens: 4096 }],
  ] as const)(
    'is asked for in the way that the endpoint says the model knows: %s',
    async (thinking, param) => {
      const { endpoint, model } = await start({
        abilities: { 'claude-opus-5-5': { thinking, maxTokens: 8192 } },
      });
      endpoint.script.push({ blocks: [text('ok')] });
      expect((await run(model, { maxTokens: 16_000 })).error).toBeUndefined();
      expect(endpoint.requests[0]?.body).toMatchObject({ thinking: param, max_tokens: 8192 });
    },
  );

  it('is not asked for where the endpoint says nothing of it', async () => {
    const { endpoint, model } = await start({ models: ['another'] });
    endpoint.script.push({ blocks: [text('ok')] });
    expect((await run(model)).error).toBeUndefined();
    expect(told(endpoint)).toEqual([undefined]);
  });

  it('is given up for the conversation when it is refused after all', async () => {
    const { endpoint, model } = await start({ abilities: { 'claude-opus-5-5': { thinking: 'adaptive' } } });
    endpoint.script.push(
      { status: 400, type: 'invalid_request_error', message: "Only 'enabled' is supported for thinking" },
      { blocks: [text('ok')] },
      { blocks: [text('ok')] },
    );
    const { events, error } = await run(model);
    expect(error).toBeUndefined();
    expect(finished(events)).toEqual([{ type: 'text', text: 'ok' }]);
    await run(model);
    expect(told(endpoint)).toEqual(['adaptive', undefined, undefined]);
  });

  it.each([
    ['as models are told that say nothing of it', undefined, 'disabled'],
    ['by the word that the model knows', ['between_tools'], 'between_tools'],
    ['not at all where the model always thinks', [], undefined],
  ] as const)('is switched off %s', async (_how, thinkingOff, word) => {
    const abilities = { thinking: 'adaptive', ...(thinkingOff ? { thinkingOff } : {}) } as const;
    const { endpoint, model } = await start({ abilities: { 'claude-opus-5-5': abilities } });
    endpoint.script.push({ blocks: [text('ok')] });
    expect((await run(model, { thinking: false })).error).toBeUndefined();
    expect(told(endpoint)).toEqual([word]);
    expect(await model.choices('claude-opus-5-5', AbortSignal.timeout(5000))).toMatchObject({
      thinking: true,
      alwaysThinks: word === undefined,
    });
  });

  it('goes on where the endpoint refuses to switch it off, which is said once', async () => {
    const { endpoint, model } = await start({ models: ['another'] });
    const message = '"thinking.type.disabled" is not supported for this model.';
    endpoint.script.push({ status: 400, type: 'invalid_request_error', message });
    for (let answer = 0; answer < 3; answer++) endpoint.script.push({ blocks: [text('ok')] });
    const { events, error } = await run(model, { thinking: false });
    expect(error).toBeUndefined();
    expect(finished(events)).toMatchObject([{ code: 'thinking.notOff' }, { type: 'text', text: 'ok' }]);
    expect(finished((await run(model, { thinking: false })).events)).toEqual([{ type: 'text', text: 'ok' }]);
    expect(told(endpoint)).toEqual(['disabled', undefined, undefined]);
  });

  it('is switched off for prompts that belong to no conversation, where the endpoint says how', async () => {
    const { endpoint, model } = await start({
      abilities: { 'claude-opus-5-5': { thinking: 'adaptive', thinkingOff: ['disabled'] } },
    });
    endpoint.script.push({ blocks: [text('A title')] }, { blocks: [text('A title')] });
    const prompt = {
      system: '',
      messages: [{ role: 'user' as const, content: [{ type: 'text', text: 'Name it.' }] }],
      tools: [],
      toolChoice: undefined,
      maxTokens: 64,
      stopSequences: [],
    };
    const signal = AbortSignal.timeout(5000);
    await model.complete({ ...prompt, model: 'claude-opus-5-5' }, signal);
    await model.complete({ ...prompt, model: 'claude-haiku-5-5' }, signal);
    expect(told(endpoint)).toEqual(['disabled', undefined]);
  });
});

describe('the endpoint', () => {
  it('gets the key in both ways that endpoints know, and the extra headers', async () => {
    const { endpoint, model } = await start({ key: KEY }, { 'X-Team': 'blue' });
    endpoint.script.push({ blocks: [text('ok')] });
    await run(model);
    expect(endpoint.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-api-key': KEY,
      'x-team': 'blue',
    });
  });

  it('gets no credentials at all when there is no key', async () => {
    const { endpoint } = await start();
    endpoint.script.push({ blocks: [text('ok')] });
    const model = new AnthropicModel({
      apiKey: undefined,
      baseUrl: `${endpoint.url}/v1/`,
      headers: {},
      retry,
    });
    expect((await run(model)).error).toBeUndefined();
    expect(endpoint.requests[0]?.headers.authorization).toBeUndefined();
    expect(endpoint.requests[0]?.headers['x-api-key']).toBeUndefined();
  });

  it('lists its models over several pages', async () => {
    const { model } = await start({ models: ['e', 'd', 'c', 'b', 'a'], modelsPerPage: 2, key: KEY });
    expect((await model.listModels()).map(({ id }) => id)).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  it('that lists nothing is told in words, so that the built-in list is used', async () => {
    const { model } = await start({ models: [] });
    await expect(model.listModels()).rejects.toMatchObject({ code: 'model.noList' });
  });

  it('is tested by one tiny request of the same kind', async () => {
    const { endpoint, model } = await start({ key: KEY });
    endpoint.script.push(
      { blocks: [text('ok')] },
      { status: 404, type: 'not_found_error', message: 'model: x' },
    );
    await model.test('claude-haiku-5-5');
    expect(endpoint.requests[0]?.body).toMatchObject({ model: 'claude-haiku-5-5', stream: true });
    await expect(model.test('x')).rejects.toMatchObject({ code: 'model.notFound' });
  });
});

/** Ends quietly where the stream ends by Stop. */
async function* tolerant(events: AsyncIterable<ModelEvent>): AsyncIterable<ModelEvent> {
  try {
    yield* events;
  } catch (error) {
    expect(error).toMatchObject({ name: 'AbortError' });
  }
}

/** An address where nothing listens. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

/** An https address behind which somebody speaks plain text. */
async function closedSoon(): Promise<string> {
  const server = createServer(socket => socket.on('error', () => {}).end('hello\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as { port: number }).port}`;
}
