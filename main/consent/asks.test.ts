import { describe, expect, it } from 'vitest';
import { HostEvents } from '../events.ts';
import { Asks } from './asks.ts';

const elicitation = { kind: 'elicitation', server: 's', message: 'm', schema: {} } as const;

function setUp() {
  const events = new HostEvents();
  const told: string[] = [];
  events.on(event => told.push(event.name));
  const asks = new Asks(events.emit);
  const firstId = () => asks.pending()[0]?.id as string;
  return { asks, told, firstId };
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

  it('are cancelled when their signal fires, before or after', async () => {
    const { asks, told } = setUp();
    const stop = new AbortController();
    const answer = asks.ask(elicitation, stop.signal);
    stop.abort();
    expect(await answer).toEqual({ action: 'cancel' });
    expect(await asks.ask(elicitation, stop.signal)).toEqual({ action: 'cancel' });
    expect(told).toEqual(['ask.opened', 'ask.closed']);
    expect(asks.pending()).toEqual([]);
  });

  it('stay open when the answer is of another kind', () => {
    const { asks, firstId } = setUp();
    void asks.ask(elicitation);
    expect(() => asks.answer(firstId(), { action: 'allow' })).toThrow(
      expect.objectContaining({ code: 'ask.answer' }),
    );
    expect(asks.pending()).toHaveLength(1);
  });

  it('all end as cancelled when nobody can answer any more, and never as accepted', async () => {
    const { asks } = setUp();
    const approval = asks.ask({
      kind: 'approval',
      server: 's',
      callId: 'c',
      tool: 't',
      args: {},
      inputSchema: {},
    });
    const form = asks.ask(elicitation);
    asks.close();
    expect(await approval).toEqual({ action: 'stop' });
    expect(await form).toEqual({ action: 'cancel' });
    expect(await asks.ask(elicitation)).toEqual({ action: 'cancel' });
  });
});
