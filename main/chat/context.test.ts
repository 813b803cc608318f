import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ApiBlock, type ApiRequest, type Issued, violation } from '../../e2e/support/strictRequest.ts';
import type { Block, Message, ToolCallBlock } from '../../shared/chat.ts';
import {
  ALL_KEPT,
  IMAGES_LEFT_OUT,
  type Kept,
  THINKING_LEFT_OUT,
  TOOLS_CHANGED,
  toApiMessages,
  toApiTools,
} from './context.ts';
import { CALL_CUT } from './model.ts';
import type { ModelFacts } from './modelFacts.ts';
import { toParams } from './request.ts';

const MODEL = 'model-a';

function message(role: Message['role'], blocks: Block[], more: Partial<Message> = {}): Message {
  const fixed = { id: 'm', conversationId: 'c', createdAt: 0, status: 'complete' as const };
  return { ...fixed, role, blocks, ...(role === 'assistant' ? { model: MODEL } : {}), ...more };
}
const user = (text: string) => message('user', [{ type: 'text', text }]);
const says = (text: string): Block => ({ type: 'text', text });
const call = (id: string, more: Partial<ToolCallBlock> = {}): ToolCallBlock => ({
  type: 'toolCall',
  id,
  modelName: 'x',
  input: {},
  status: 'done',
  result: { content: [{ type: 'text', text: `result of ${id}` }] },
  ...more,
});

/** The request as the endpoint gets it; everything that a model ever said counts as issued. */
function requestOf(
  messages: Message[],
  model = MODEL,
  kept: Kept = ALL_KEPT,
  facts: ModelFacts = { thinking: 'none' },
): ApiRequest {
  const tools = [{ name: 'x', description: 'X', inputSchema: { type: 'object' } }];
  const request = { conversationId: 'c', model, system: 'Be good.', messages, tools, maxTokens: 10_000 };
  return toParams(request, { tools, saysThinking: true, kept, wishes: {} }, facts) as unknown as ApiRequest;
}

function issuedBy(messages: readonly Message[]): Issued[] {
  return messages.flatMap(({ role, model, blocks, stopReason }) => {
    if (role !== 'assistant' || !model) return [];
    const raw = blocks.flatMap((block): ApiBlock[] => {
      switch (block.type) {
        case 'text':
          return [{ type: 'text', text: block.text }];
        case 'thinking':
          return [{ type: 'thinking', thinking: block.text, signature: block.signature ?? '' }];
        case 'opaque':
          return [block.raw as unknown as ApiBlock];
        case 'toolCall':
          return [{ type: 'tool_use', id: block.id, name: block.modelName, input: block.input }];
        default:
          return [];
      }
    });
    // No model ever writes half a character; JSON shows one as an escape.
    const said = JSON.parse(JSON.stringify(raw).replace(/\\ud[89a-f]../g, '\ufffd')) as ApiBlock[];
    return [{ model, blocks: said, paused: stopReason === 'pause_turn' }];
  });
}

describe('the request made of a conversation', () => {
  it('puts results into the very next turn, before the text of the person', () => {
    const [, answer, next] = toApiMessages(
      [user('go'), message('assistant', [says('ok'), call('a'), call('b')]), user('and?')],
      MODEL,
    );
    expect(answer?.content).toMatchObject([{ type: 'text' }, { id: 'a' }, { id: 'b' }]);
    expect(next?.content).toMatchObject([
      { tool_use_id: 'a' },
      { tool_use_id: 'b' },
      { type: 'text', text: 'and?' },
    ]);
  });

  it('tells the outcome of a call that was interrupted, and changes nothing that is stored (BC-35)', () => {
    const stored = [
      user('go'),
      message('assistant', [says('ok'), call('a'), call('b', { status: 'interrupted', result: undefined })], {
        status: 'incomplete',
      }),
      user('are you there?'),
    ];
    const before = structuredClone(stored);
    const api = toApiMessages(stored, MODEL);
    expect(api[2]?.content).toMatchObject([
      { tool_use_id: 'a' },
      {
        tool_use_id: 'b',
        is_error: true,
        content: [{ text: 'This call was interrupted; its outcome is unknown.' }],
      },
      { text: 'are you there?' },
    ]);
    expect(stored).toEqual(before);
    expect(violation(requestOf(stored), [], 128)).toBeUndefined();
  });

  it('leaves out a call whose arguments were cut, and asks to go on', () => {
    const cut = call('t', { status: 'failed', result: undefined, error: { code: CALL_CUT, message: 'cut' } });
    const api = toApiMessages(
      [user('write'), message('assistant', [says('I write'), cut], { status: 'incomplete' })],
      MODEL,
    );
    expect(api).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: 'I write' }] },
      { role: 'user', content: [{ text: expect.stringContaining('Go on') }] },
    ]);
  });

  describe('thinking (BC-34)', () => {
    const blocks: Block[] = [
      { type: 'thinking', text: 'step é one', signature: 'SIG1' },
      { type: 'opaque', raw: { type: 'redacted_thinking', data: 'ENC1' } },
      says('Let me look.'),
      { type: 'thinking', text: '', signature: 'SIG2' },
      call('t1'),
    ];
    const stored = [user('q'), message('assistant', blocks)];

    it('goes back to its model exactly as it came', () => {
      expect(toApiMessages(stored, MODEL)[1]?.content).toEqual([
        { type: 'thinking', thinking: 'step é one', signature: 'SIG1' },
        { type: 'redacted_thinking', data: 'ENC1' },
        { type: 'text', text: 'Let me look.' },
        { type: 'thinking', thinking: '', signature: 'SIG2' },
        { type: 'tool_use', id: 't1', name: 'x', input: {} },
      ]);
    });

    it('does not go to another model, and comes back with the first one', () => {
      const types = (model: string) =>
        [toApiMessages(stored, model)[1]?.content ?? []]
          .flat()
          .map(block => (typeof block === 'string' ? block : block.type));
      expect(types('model-b')).toEqual(['text', 'tool_use']);
      expect(types(MODEL)).toHaveLength(5);
    });

    it('is never sent without its signature', () => {
      const unsigned = message('assistant', [{ type: 'thinking', text: 'half' }], { status: 'incomplete' });
      expect(toApiMessages([user('q'), unsigned, user('again')], MODEL)).toEqual([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'q' },
            { type: 'text', text: 'again' },
          ],
        },
      ]);
    });

    it('stays out for good once the endpoint has refused it', () => {
      const notice: Block = { type: 'notice', level: 'info', code: THINKING_LEFT_OUT, message: 'left out' };
      const later = [
        ...stored,
        message('assistant', [notice, { type: 'thinking', text: 'new', signature: 'SIG3' }, says('done')]),
        user('more'),
      ];
      expect(JSON.stringify(toApiMessages(later, MODEL))).not.toMatch(/SIG1|SIG2|ENC1/);
      expect(JSON.stringify(toApiMessages(later, MODEL))).toContain('SIG3');
    });
  });

  it('gives a paused answer back as it was, with no turn of the user', () => {
    const raw = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } };
    const paused = message('assistant', [says('Searching'), { type: 'opaque', raw }], {
      stopReason: 'pause_turn',
    });
    const stored = [user('q'), paused];
    expect(toApiMessages(stored, MODEL).at(-1)).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Searching' }, raw],
    });
    expect(violation(requestOf(stored), issuedBy(stored), 128)).toBeUndefined();
  });

  it('does not send a refused exchange again, but the question itself when it is asked anew', () => {
    const refused = message('assistant', [says('I can’t')], { status: 'incomplete', stopReason: 'refusal' });
    const stored = [user('hello'), message('assistant', [says('hi')]), user('something bad'), refused];
    expect(JSON.stringify(toApiMessages([...stored, user('thanks')], MODEL))).not.toMatch(/bad|can’t/);
    expect(JSON.stringify(toApiMessages(stored, MODEL))).toMatch(/something bad/);
    expect(JSON.stringify(toApiMessages(stored, MODEL))).not.toMatch(/can’t/);
  });

  it('tells of changed tools before the answer that they are offered to, and nothing of other notices', () => {
    const changed: Block = { type: 'notice', level: 'info', code: TOOLS_CHANGED, message: 'New tools: y.' };
    const other: Block = { type: 'notice', level: 'error', code: 'model.overloaded', message: 'overloaded' };
    const stored = [
      user('q'),
      message('assistant', [call('a')]),
      message('assistant', [changed, says('ok'), other]),
    ];
    expect(toApiMessages([...stored, user('more')], MODEL)).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'tool_result' }, { type: 'text', text: 'New tools: y.' }] },
      { role: 'assistant', content: [{ text: 'ok' }] },
      { role: 'user', content: [{ text: 'more' }] },
    ]);
  });

  it('has no half characters, which a server or a paste can contain', () => {
    const bad = 'a \ud83d b';
    const result = { content: [{ type: 'text', text: bad }] };
    const stored = [user(bad), message('assistant', [call('a', { input: { [bad]: [bad] }, result })])];
    expect(JSON.stringify(toApiMessages(stored, MODEL))).toContain('\\ud83d');
    expect(JSON.stringify(requestOf(stored))).not.toContain('\\ud83d');
    expect(JSON.stringify(requestOf(stored))).toContain('a \ufffd b');
  });

  it('gives the model no picture any more that the endpoint has refused, but later ones', () => {
    const data =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const picture = { result: { content: [{ type: 'image', mimeType: 'image/png', data }] } };
    const notice: Block = { type: 'notice', level: 'warning', code: IMAGES_LEFT_OUT, message: 'left out' };
    const stored = [user('q'), message('assistant', [call('a', picture)])];
    const results = (messages: Message[], kept = ALL_KEPT) =>
      toApiMessages(messages, MODEL, kept).flatMap(({ content }) =>
        typeof content === 'string'
          ? []
          : content.flatMap(block => (block.type === 'tool_result' ? [block.content] : [])),
      );
    expect(results(stored)).toMatchObject([[{ type: 'image' }]]);
    const note = { type: 'text', text: expect.stringContaining('cannot be given') };
    expect(results(stored, { ...ALL_KEPT, images: false })).toMatchObject([[note]]);
    const later = [...stored, message('assistant', [notice, call('b', picture)])];
    expect(results(later)).toMatchObject([[note], [{ type: 'image' }]]);
  });

  it('lets a model think as its endpoint says it can, and no longer answer than it can', () => {
    const stored = [user('q'), message('assistant', [call('a')], { model: 'model-b' })];
    const sent = (facts: ModelFacts, messages = [user('q')]) => {
      const { thinking, max_tokens } = requestOf(messages, MODEL, ALL_KEPT, facts);
      return { thinking, max_tokens };
    };
    expect(sent({ thinking: 'none' })).toEqual({ thinking: undefined, max_tokens: 10_000 });
    expect(sent({ thinking: 'adaptive', maxTokens: 4096 }, stored)).toEqual({
      thinking: { type: 'adaptive', display: 'summarized' },
      max_tokens: 4096,
    });
    expect(sent({ thinking: 'manual' }).thinking).toEqual({ type: 'enabled', budget_tokens: 5000 });
    expect(sent({ thinking: 'manual', maxTokens: 2000 }).thinking).toBeUndefined();
    expect(sent({ thinking: 'manual' }, stored).thinking).toBeUndefined();
  });

  it('marks at most four places for the prompt cache: tools, system and the last two turns of the user', () => {
    const stored = [
      user('1'),
      message('assistant', [says('a')]),
      user('2'),
      message('assistant', [says('b')]),
      user('3'),
    ];
    const { messages, tools } = requestOf(stored);
    const marked = messages.map(({ content }) => JSON.stringify(content).includes('cache_control'));
    expect(marked).toEqual([false, false, true, false, true]);
    expect(tools?.at(-1)).toMatchObject({ cache_control: { type: 'ephemeral' } });
  });

  it('defines a tool where the history has calls but there is none any more', () => {
    const api = toApiMessages([user('q'), message('assistant', [call('a')])], MODEL);
    expect(toApiTools([], api)).toHaveLength(1);
    expect(toApiTools([], toApiMessages([user('q')], MODEL))).toHaveLength(0);
  });

  it('is accepted by the strict rules whatever was stored', () => {
    fc.assert(
      fc.property(
        fc.array(anyMessage, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('model-a', 'model-b'),
        fc.record({
          thinking: fc.constantFrom('all', 'currentTurn', 'none'),
          images: fc.boolean(),
          documents: fc.boolean(),
        }),
        fc.record({
          thinking: fc.constantFrom('adaptive', 'manual', 'none'),
          maxTokens: fc.constantFrom(900, 8192),
        }),
        (stored, model, kept, facts) => {
          const before = structuredClone(stored);
          const request = requestOf(stored, model, kept, facts);
          const { thinking, maxTokens } = facts;
          const abilities = { maxTokens, ...(thinking === 'none' ? {} : { thinking }) };
          expect(violation(request, issuedBy(stored), 64, abilities)).toBeUndefined();
          expect(JSON.stringify(requestOf(stored, model, kept, facts))).toBe(JSON.stringify(request));
          expect(stored).toEqual(before);
        },
      ),
      { numRuns: 1500 },
    );
  });
});

const anyText = fc.oneof(
  fc.constantFrom('', ' ', '\n\t', 'text', 'half \ud83d of a character', '\u0000'),
  fc.string({ maxLength: 8, unit: 'binary' }),
);
const anyContent = fc.oneof(
  anyText.map(text => ({ type: 'text', text })),
  fc.constantFrom(
    {
      type: 'image',
      mimeType: 'image/jpeg',
      data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
    { type: 'image', mimeType: 'image/png', data: 'bm90IGFuIGltYWdl' },
    { type: 'never-heard-of' },
  ),
);
const anyCall = fc.record(
  {
    type: fc.constant('toolCall' as const),
    id: fc.oneof(fc.constantFrom('a', 'b', 'functions.x:0', ''), fc.string({ maxLength: 6 })),
    modelName: fc.oneof(fc.constantFrom('x', 'ungültig!', ''), fc.string({ maxLength: 90 })),
    input: fc.constantFrom({}, { a: 1 }, { '\udc00': ['\ud83d'] }),
    status: fc.constantFrom(
      'pending',
      'waiting',
      'running',
      'done',
      'failed',
      'denied',
      'cancelled',
      'interrupted',
    ),
    result: fc.record({ content: fc.array(anyContent, { maxLength: 3 }), isError: fc.boolean() }),
    error: fc.record({ code: fc.constantFrom(CALL_CUT, 'other'), message: anyText }),
  },
  { requiredKeys: ['type', 'id', 'modelName', 'input', 'status'] },
) as fc.Arbitrary<Block>;
const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  anyText.map((text): Block => ({ type: 'text', text })),
  fc.record({
    type: fc.constant('thinking' as const),
    text: anyText,
    signature: fc.constantFrom('S1', 'S2'),
  }),
  anyText.map((text): Block => ({ type: 'thinking', text })),
  fc.constantFrom<Block>({ type: 'opaque', raw: { type: 'redacted_thinking', data: 'E' } }),
  fc
    .constantFrom(TOOLS_CHANGED, THINKING_LEFT_OUT, IMAGES_LEFT_OUT, 'x')
    .map((code): Block => ({ type: 'notice', level: 'info', code, message: 'notice' })),
  anyCall,
);
const anyMessage: fc.Arbitrary<Message> = fc
  .record({
    role: fc.constantFrom('user', 'assistant'),
    blocks: fc.array(anyBlock, { maxLength: 6 }),
    status: fc.constantFrom('complete', 'incomplete', 'streaming'),
    model: fc.constantFrom('model-a', 'model-b', 'guide'),
    stopReason: fc.constantFrom('end_turn', 'tool_use', 'refusal', 'max_tokens', 'pause_turn', undefined),
  })
  .map(({ role, stopReason, ...rest }) => {
    const fixed = { id: 'm', conversationId: 'c', createdAt: 0 };
    const own = role === 'assistant' && stopReason !== undefined ? { stopReason } : {};
    return { ...fixed, ...rest, role: role as Message['role'], ...own } as Message;
  });
