import { describe, expect, it } from 'vitest';
import { type AskKind, cancelAnswers, declineAnswers } from '../../shared/asks.ts';
import { HostError } from '../../shared/errors.ts';
import { HostEvents } from '../events.ts';
import { QUIT } from '../quit.ts';
import { Asks, type Question } from './asks.ts';
import { STOPPED } from './endings.ts';

const elicitation = { kind: 'elicitation', server: 's', message: 'm', schema: {} } as const;

/** One question of each kind. */
const questions: { [K in AskKind]: Question<K> } = {
  approval: { kind: 'approval', server: 's', callId: 'c', tool: 't', args: {}, inputSchema: {} },
  elicitation,
  urlElicitation: { kind: 'urlElicitation', server: 's', message: 'm', url: 'https://example.test/' },
  urlWaiting: { kind: 'urlWaiting', server: 's', url: 'https://example.test/' },
  arguments: { kind: 'arguments', server: 's', tool: 't', schema: {}, values: {} },
  sampling: {
    kind: 'sampling',
    server: 's',
    model: 'm',
    models: ['m'],
    hints: [],
    systemPrompt: '',
    messages: [],
    tools: [],
    maxTokens: 1,
  },
  samplingResult: { kind: 'samplingResult', server: 's', model: 'm', content: [], stopReason: 'end' },
  signIn: {
    kind: 'signIn',
    server: 's',
    url: 'https://example.test/',
    serverUrl: 'https://example.test/mcp',
    canEncrypt: true,
  },
  signInWaiting: { kind: 'signInWaiting', server: 's', url: 'https://example.test/' },
  secret: { kind: 'secret', server: 's', name: 'TOKEN', usedFor: 'the header X', canEncrypt: true },
  keepWaiting: { kind: 'keepWaiting', server: 's', conversationId: 'c', callId: 'c', tool: 't', silentMs: 1 },
};
const kinds = Object.keys(questions) as AskKind[];

/** What may go back to whom nobody answered: never an agreement. */
const expected: Record<AskKind, string> = {
  approval: 'stop',
  elicitation: 'cancel',
  urlElicitation: 'cancel',
  urlWaiting: 'cancel',
  arguments: 'cancel',
  sampling: 'deny',
  samplingResult: 'deny',
  signIn: 'cancel',
  signInWaiting: 'cancel',
  secret: 'cancel',
  keepWaiting: 'stop',
};

function setUp(isMuted = false) {
  const events = new HostEvents();
  const told: string[] = [];
  events.on(event => told.push(event.name));
  const journal: string[] = [];
  const asks = new Asks(events.emit, {
    isMuted: () => isMuted,
    journal: {
      asked: ({ kind }) => journal.push(`asked ${kind}`),
      answered: ({ kind }, { action }, by) => journal.push(`${kind} ${action} by ${by}`),
    },
  });
  const firstId = () => asks.pending()[0]?.id as string;
  return { asks, told, firstId, journal };
}

describe('questions to the person', () => {
  it('end once, with the answer that was given', async () => {
    const { asks, told, firstId } = setUp();
    const answer = asks.ask(elicitation);
    const id = firstId();
    asks.answer(id, { action: 'accept', content: { a: 1 } });
    expect(await answer).toEqual({ action: 'accept', content: { a: 1 } });
    expect(() => asks.answer(id, { action: 'decline' })).toThrow(
      expect.objectContaining({ code: 'ask.gone' }),
    );
    expect(told).toEqual(['ask.opened', 'ask.closed']);
  });

  it('wait in the order in which they were asked', () => {
    const { asks } = setUp();
    for (const message of ['1', '2', '3']) void asks.ask({ ...elicitation, message });
    expect(asks.pending().map(ask => 'message' in ask && ask.message)).toEqual(['1', '2', '3']);
  });

  it('stay open when the answer is of another kind, or what it holds does not do', () => {
    const { asks, firstId } = setUp();
    const check = () => 'too small';
    void asks.ask(elicitation, undefined, check);
    expect(() => asks.answer(firstId(), { action: 'allow' })).toThrow(
      expect.objectContaining({ code: 'ask.answer' }),
    );
    expect(() => asks.answer(firstId(), { action: 'decline' })).toThrow('too small');
    expect(asks.pending()).toHaveLength(1);
  });

  it('of a server that is declined at once are its own in that conversation, and no others', async () => {
    const { asks, journal } = setUp();
    const mine = asks.ask({ ...questions.elicitation, conversationId: 'c' });
    const prompt = asks.ask({ ...questions.sampling, conversationId: 'c' });
    void asks.ask({ ...questions.approval, conversationId: 'c' });
    void asks.ask({ ...questions.elicitation, conversationId: 'other' });
    void asks.ask({ ...questions.elicitation, conversationId: 'c', server: 'other' });
    asks.declineAll('s', 'c');
    expect(await mine).toEqual({ action: 'decline' });
    expect(await prompt).toEqual({ action: 'deny' });
    expect(asks.pending()).toHaveLength(3);
    expect(journal).toContain('elicitation decline by person');
  });
});

describe.each(kinds)('a question of the kind %s', kind => {
  const cancelled = { action: expected[kind] };

  it.each([
    ['Stop', STOPPED, 'stop'],
    ['its call that was stopped', new HostError('call.cancelled', ''), 'stop'],
    ['a call that took too long', new HostError('call.timeout', ''), 'timeOut'],
    ['its server, which takes it back', 'no longer needed', 'withdrawn'],
    ['its server, which is gone', undefined, 'withdrawn'],
    ['Parley, which closes', QUIT, 'quit'],
  ])('is ended by %s, and never agreed to', async (_what, reason, by) => {
    const { asks, told, journal } = setUp();
    const stop = new AbortController();
    const answer = asks.ask(questions[kind], stop.signal);
    stop.abort(reason);
    expect(await answer).toEqual(cancelled);
    expect(await asks.ask(questions[kind], stop.signal)).toEqual(cancelled);
    expect(told).toEqual(['ask.opened', 'ask.closed']);
    expect(asks.pending()).toEqual([]);
    expect(journal).toEqual([`asked ${kind}`, `${kind} ${cancelled.action} by ${by}`]);
  });

  it('is cancelled when nobody can see it any more, and when Parley closes', async () => {
    const { asks, journal } = setUp();
    const unseen = asks.ask(questions[kind]);
    asks.cancelAll('windowClosed');
    expect(await unseen).toEqual(cancelled);
    const last = asks.ask(questions[kind]);
    asks.close();
    expect(await last).toEqual(cancelled);
    expect(await asks.ask(questions[kind])).toEqual(cancelled);
    expect(journal.filter(line => line.includes(' by '))).toEqual([
      `${kind} ${cancelled.action} by windowClosed`,
      `${kind} ${cancelled.action} by quit`,
    ]);
  });

  it('is declined unseen when its server is muted, if it is a question of the server', async () => {
    const { asks, journal, told } = setUp(true);
    const answer = asks.ask(questions[kind]);
    const declined = declineAnswers[kind];
    if (!declined) {
      expect(asks.pending()).toHaveLength(1);
      return;
    }
    expect(await answer).toEqual(declined);
    expect(declined).not.toEqual({ action: 'cancel' });
    expect(told).toEqual([]);
    expect(journal).toEqual([`${kind} ${declined.action} by muted`]);
  });
});

it('every kind has the answer that means no answer', () => {
  expect(Object.fromEntries(kinds.map(kind => [kind, cancelAnswers[kind].action]))).toEqual(expected);
});
