import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownServer, referenceServer } from '../../e2e/support/host.ts';
import { nodeEntry, reaches, startManager } from '../../e2e/support/manager.ts';
import { startMessagesEndpoint, text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import type { AskOf } from '../../shared/asks.ts';
import type { SamplingBlock } from '../../shared/sampling.ts';
import { AnthropicModel, FALLBACK_MODELS } from './anthropic.ts';
import type { ChatModel } from './model.ts';
import { Sampler } from './sampler.ts';

const never = new AbortController().signal;
const MODEL = 'claude-opus-5-5';
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Servers of both eras that ask for completions, on a scripted endpoint. */
async function start({ chatModel }: { chatModel?: ChatModel } = {}) {
  const endpoint = await startMessagesEndpoint();
  onTestFinished(() => endpoint.close());
  const model = new AnthropicModel({ apiKey: 'sk-test', headers: {}, baseUrl: endpoint.url });
  let sampler: Sampler | undefined;
  const bench = await startManager(
    {
      old: nodeEntry(referenceServer('everything'), ['stdio']),
      modern: nodeEntry(ownServer('asking.mjs')),
    },
    { sample: (request, signal) => (sampler as Sampler).sample(request, signal) },
  );
  const { manager, asks } = bench;
  sampler = new Sampler({
    asks,
    model: {
      current: () => ({ chatModel: chatModel ?? model, model: MODEL }),
      list: async () => ({ models: [...FALLBACK_MODELS] }),
    },
  });
  await Promise.all(['old', 'modern'].map(name => reaches(manager, name, 'ready')));
  const call = (server: string, tool: string, args: Record<string, unknown>, signal = never) =>
    manager.connection(server)?.callTool(tool, args, { signal, conversationId: 'c' });
  const asked = async <K extends 'sampling' | 'samplingResult'>(kind: K) => {
    await vi.waitFor(() => expect(asks.pending()).toMatchObject([{ kind }]), 10_000);
    return asks.pending()[0] as AskOf<K>;
  };
  const allow = ({ id, model, systemPrompt, messages, maxTokens }: AskOf<'sampling'>, edits = {}) =>
    asks.answer(id, { action: 'allow', model, systemPrompt, messages, maxTokens, ...edits });
  return { ...bench, endpoint, call, asked, allow };
}

const say = (content: unknown) => ({ messages: [{ role: 'user', content }], maxTokens: 50 });

describe('a completion for a server', () => {
  it.each([
    ['legacy', 'old', 'trigger-sampling-request', { prompt: 'Tell me.', maxTokens: 30 }],
    [
      'modern',
      'modern',
      'ask-model',
      {
        request: {
          messages: [{ role: 'user', content: { type: 'text', text: 'Tell me.' } }],
          systemPrompt: 'You are a helpful test server.',
          maxTokens: 30,
          includeContext: 'allServers',
          temperature: 0.7,
          stopSequences: ['END', ' '],
        },
      },
    ],
  ])(
    'of the %s era is sent as the person changed it, and given out as they changed it',
    async (_era, server, tool, args) => {
      const { call, asked, allow, asks, endpoint } = await start();
      endpoint.script.push({ blocks: [text('The model’s words')] });
      const result = call(server, tool, args);
      const prompt = await asked('sampling');
      expect(prompt).toMatchObject({
        server,
        conversationId: 'c',
        model: MODEL,
        maxTokens: 30,
        systemPrompt: 'You are a helpful test server.',
        messages: [{ role: 'user', content: [{ type: 'text', text: expect.stringContaining('Tell me.') }] }],
      });
      expect(endpoint.requests).toEqual([]);
      const messages = [{ role: 'user' as const, content: [{ type: 'text', text: 'Changed' }] }];
      allow(prompt, { messages, systemPrompt: 'Be short.', maxTokens: 20 });
      const answer = await asked('samplingResult');
      expect(answer).toMatchObject({ server, content: [{ type: 'text', text: 'The model’s words' }] });
      expect(endpoint.requests).toHaveLength(1);
      expect(endpoint.requests[0]?.violation).toBeUndefined();
      expect(endpoint.requests[0]?.body).toMatchObject({
        model: MODEL,
        max_tokens: 20,
        system: 'Be short.',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Changed' }] }],
      });
      asks.answer(answer.id, { action: 'allow', content: [{ type: 'text', text: 'My words' }] });
      const said = JSON.stringify(await result);
      expect(said).toContain('My words');
      expect(said).not.toContain('The model’s words');
      expect(said).toContain(MODEL);
    },
  );

  it('never has more tokens than were asked for, whatever the answer says', async () => {
    const { call, asked, allow, asks, endpoint } = await start();
    endpoint.script.push({ blocks: [text('ok')] });
    const request = { ...say({ type: 'text', text: 'x' }), maxTokens: 900_000 };
    const calling = call('modern', 'ask-model', { request });
    const prompt = await asked('sampling');
    expect(prompt.maxTokens).toBe(16_000);
    allow(prompt, { maxTokens: 20_000 });
    const { id } = await asked('samplingResult');
    expect(endpoint.requests[0]?.body.max_tokens).toBe(16_000);
    asks.answer(id, { action: 'allow', content: [] });
    await calling;
  });

  it('takes pictures, tools of the server and their results', async () => {
    const { call, asked, allow, asks, endpoint } = await start();
    const tools = [{ name: 'weather', description: 'Looks out', inputSchema: { type: 'object' } }];
    const picture = { type: 'image', data: PNG, mimeType: 'image/png' };
    endpoint.script.push(
      { blocks: [text('Let me look.'), toolUse('w1', 'weather', { city: 'Paris' })] },
      { blocks: [text('Fine.')] },
    );
    const first = say([{ type: 'text', text: 'Is it like this?' }, picture]);
    const calling = call('modern', 'ask-model', {
      request: { ...first, tools, toolChoice: { mode: 'required' } },
    });
    const prompt = await asked('sampling');
    expect(prompt.tools).toMatchObject(tools);
    allow(prompt);
    const seen = await asked('samplingResult');
    expect(seen).toMatchObject({ stopReason: 'toolUse', content: [{ type: 'text' }, { type: 'tool_use' }] });
    asks.answer(seen.id, { action: 'allow', content: seen.content });
    const [said] = (await calling)?.content ?? [];
    const completion = JSON.parse(String(said?.text)) as { content: SamplingBlock[] };
    expect(completion.content[1]).toMatchObject({ name: 'weather', input: { city: 'Paris' } });
    expect(endpoint.requests[0]?.body).toMatchObject({
      tool_choice: { type: 'any' },
      tools: [{ name: 'weather' }],
      messages: [{ content: [{ type: 'text' }, { type: 'image', source: { media_type: 'image/png' } }] }],
    });

    const result = {
      type: 'tool_result',
      toolUseId: completion.content[1]?.id,
      content: [{ type: 'text', text: 'sun' }],
    };
    const messages = [
      ...first.messages,
      { role: 'assistant', content: completion.content },
      { role: 'user', content: result },
    ];
    const second = call('modern', 'ask-model', { request: { messages, tools, maxTokens: 50 } });
    allow(await asked('sampling'));
    const last = await asked('samplingResult');
    asks.answer(last.id, { action: 'allow', content: last.content });
    expect(JSON.stringify(await second)).toContain('Fine.');
    expect(endpoint.requests.map(({ violation }) => violation)).toEqual([undefined, undefined]);
  });

  it('goes to the model that a hint names, if the person leaves it so, and to their own otherwise', async () => {
    const { call, asked, allow, asks, endpoint } = await start();
    const request = {
      ...say({ type: 'text', text: 'x' }),
      modelPreferences: { hints: [{ name: 'gpt-9' }, { name: 'haiku' }, { name: 'sonnet' }] },
    };
    for (const [edits, model] of [
      [{}, 'claude-haiku-5-5'],
      [{ model: MODEL }, MODEL],
    ] as const) {
      endpoint.script.push({ blocks: [text('ok')] });
      const calling = call('modern', 'ask-model', { request });
      const prompt = await asked('sampling');
      expect(prompt).toMatchObject({ model: 'claude-haiku-5-5', models: ['claude-haiku-5-5', MODEL] });
      allow(prompt, edits);
      const { id, content } = await asked('samplingResult');
      asks.answer(id, { action: 'allow', content });
      expect(JSON.stringify(await calling)).toContain(model);
      expect(endpoint.requests.at(-1)?.body.model).toBe(model);
    }
  });
});

describe('a server gets nothing', () => {
  it('when the person refuses the prompt: nothing is sent', async () => {
    const { call, asked, asks, endpoint } = await start();
    for (const [server, tool, args] of [
      ['old', 'trigger-sampling-request', { prompt: 'x' }],
      ['modern', 'ask-model', { request: say({ type: 'text', text: 'x' }) }],
    ] as const) {
      const calling = call(server, tool, args)?.then(
        result => JSON.stringify(result),
        error => String(error),
      );
      asks.answer((await asked('sampling')).id, { action: 'deny' });
      expect(await calling).toMatch(/did not agree to this prompt/);
    }
    expect(endpoint.requests).toEqual([]);
  });

  it('when the person refuses the answer', async () => {
    const { call, asked, allow, asks, endpoint } = await start();
    endpoint.script.push({ blocks: [text('a secret')] });
    const calling = call('modern', 'ask-model', { request: say({ type: 'text', text: 'x' }) });
    calling?.catch(() => undefined);
    allow(await asked('sampling'));
    asks.answer((await asked('samplingResult')).id, { action: 'deny' });
    const error = await calling?.then(String, String);
    expect(error).toMatch(/did not agree to give out/);
    expect(error).not.toContain('a secret');
  });

  it('after Stop: the question goes away, and the model is not asked', async () => {
    const { call, asked, asks, endpoint } = await start();
    const stop = new AbortController();
    const calling = call('old', 'trigger-sampling-request', { prompt: 'x' }, stop.signal);
    calling?.catch(() => undefined);
    await asked('sampling');
    stop.abort();
    await expect(calling).rejects.toMatchObject({ code: 'call.cancelled' });
    await vi.waitFor(() => expect(asks.pending()).toEqual([]));
    expect(endpoint.requests).toEqual([]);
  });

  it('from the Guide, which is no language model', async () => {
    const guide: ChatModel = { stream: () => (async function* () {})() };
    const { call, asks } = await start({ chatModel: guide });
    const error = await call('modern', 'ask-model', { request: say({ type: 'text', text: 'x' }) })?.then(
      String,
      String,
    );
    expect(error).toMatch(/no language model/);
    expect(asks.pending()).toEqual([]);
  });

  it('when its prompt breaks the rules of the protocol: the person is not bothered', async () => {
    const { call, asks } = await start();
    const lonely = { type: 'tool_result', toolUseId: 'w1', content: [] };
    const error = await call('modern', 'ask-model', { request: say([lonely]) })?.then(String, String);
    expect(error).toMatch(/every result its tool use/);
    expect(asks.pending()).toEqual([]);
  });
});
