import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tempDir } from '../../e2e/support/host.ts';
import { rawEntry } from '../../e2e/support/manager.ts';
import { gate, text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startWithEndpoint as start, type TurnsOptions } from '../../e2e/support/turns.ts';

/** A turn that runs until its gate opens. */
async function running(options: Partial<TurnsOptions> & { servers?: Record<string, unknown> } = {}) {
  const bench = await start(options);
  const { endpoint, queue, conversation, messages } = bench;
  const { id } = conversation;
  const first = gate();
  onTestFinished(() => first.open());
  endpoint.script.push({ blocks: [{ wait: first.passed }, text('One.')] });
  await queue.send(id, 'one');
  await endpoint.arrived(1);
  const waiting = () => queue.of(id).messages.map(({ text }) => text);
  const idOf = (wanted: string) => queue.of(id).messages.find(({ text }) => text === wanted)?.id ?? '';
  const said = () =>
    messages().flatMap(({ blocks }) => blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])));
  return { ...bench, id, first, waiting, idOf, said };
}

describe('what is sent while a turn runs', () => {
  it('waits and is sent in order as turns end well, with what is attached', async () => {
    const { endpoint, queue, id, first, waiting, said, events, idle } = await running();
    const file = { type: 'attachment' as const, name: 'a.txt', text: 'content' };
    await queue.send(id, 'two', [file]);
    await queue.send(id, 'three');
    expect(waiting()).toEqual(['two', 'three']);
    expect(queue.list()).toMatchObject([{ conversationId: id, held: false }]);
    endpoint.script.push({ blocks: [text('Two.')] }, { blocks: [text('Three.')] });
    first.open();
    await vi.waitFor(() => expect(said().at(-1)).toBe('Three.'));
    await idle();
    expect(said()).toEqual(['one', 'One.', 'two', 'Two.', 'three', 'Three.']);
    expect(JSON.stringify(endpoint.requests[1]?.body)).toContain('content');
    expect(queue.list()).toEqual([]);
    const told = events.flatMap(event =>
      event.name === 'queue.changed' ? [event.payload.messages.length] : [],
    );
    expect(told).toEqual([1, 2, 1, 0]);
    await expect(queue.send(id, ' ')).rejects.toMatchObject({ code: 'chat.empty' });
  });

  it('can be taken out, put elsewhere and thrown away', async () => {
    const { queue, id, waiting, idOf } = await running();
    for (const each of ['a', 'b', 'c', 'd']) await queue.send(id, each);
    queue.move(id, idOf('d'), 1);
    expect(waiting()).toEqual(['a', 'd', 'b', 'c']);
    const gone = idOf('b');
    expect(queue.remove(id, gone)).toEqual({ text: 'b', attachments: [] });
    expect(waiting()).toEqual(['a', 'd', 'c']);
    expect(() => queue.remove(id, gone)).toThrow(expect.objectContaining({ code: 'queue.gone' }));
    queue.discard(id);
    expect(waiting()).toEqual([]);
  });

  it('is held after Stop until the person lets it go on', async () => {
    const { endpoint, queue, turns, id, waiting, said, idle } = await running();
    await queue.send(id, 'two');
    await queue.send(id, 'three');
    await turns.stop(id);
    expect(queue.of(id).held).toBe(true);
    endpoint.script.push({ blocks: [text('Else.')] });
    await queue.send(id, 'something else first');
    await idle();
    expect(said().at(-1)).toBe('Else.');
    expect(queue.of(id)).toMatchObject({ held: true, messages: [{ text: 'two' }, { text: 'three' }] });
    endpoint.script.push({ blocks: [text('Two.')] }, { blocks: [text('Three.')] });
    await queue.goOn(id);
    await vi.waitFor(() => expect(said().at(-1)).toBe('Three.'));
    await idle();
    expect(waiting()).toEqual([]);
    expect(endpoint.requests.every(({ violation }) => violation === undefined)).toBe(true);
  });

  it('is held after a turn that failed or was cut', async () => {
    const { endpoint, queue, id, first, said, idle } = await running();
    await queue.send(id, 'two');
    await queue.send(id, 'three');
    endpoint.script.push({ blocks: [text('Cut')], stopReason: 'max_tokens' });
    first.open();
    await vi.waitFor(() => expect(queue.of(id).held).toBe(true));
    await idle();
    expect(said().slice(-2)).toEqual(['two', 'Cut']);
    expect(queue.of(id).messages).toMatchObject([{ text: 'three' }]);
  });

  it('can be sent at once: the turn is stopped for it, and the rest follows', async () => {
    const { endpoint, queue, id, idOf, said, idle } = await running();
    await queue.send(id, 'two');
    await queue.send(id, 'three');
    endpoint.script.push({ blocks: [text('Three.')] }, { blocks: [text('Two.')] });
    await queue.sendNow(id, idOf('three'));
    await vi.waitFor(() => expect(said().at(-1)).toBe('Two.'));
    await idle();
    expect(said()).toEqual(['one', 'three', 'Three.', 'two', 'Two.']);
    expect(endpoint.requests.every(({ violation }) => violation === undefined)).toBe(true);
  });

  it('waits until a question of the turn is answered', async () => {
    let mayAnswer = false;
    const { endpoint, queue, id, first, asks, said, waiting, idle } = await running({
      servers: { raw: rawEntry() },
      answer: ask => (mayAnswer && ask.kind === 'approval' ? { action: 'allow' } : undefined),
    });
    await queue.send(id, 'two');
    endpoint.script.push(
      { blocks: [text('Two.'), toolUse('t1', 'raw__echo', { message: 'x' })] },
      { blocks: [text('Used.')] },
      { blocks: [text('Three.')] },
    );
    first.open();
    await vi.waitFor(() => expect(asks.pending()).toHaveLength(1));
    await queue.send(id, 'three');
    expect(waiting()).toEqual(['three']);
    mayAnswer = true;
    await vi.waitFor(() => expect(said().at(-1)).toBe('Three.'));
    await idle();
    expect(said()).toEqual(['one', 'One.', 'two', 'Two.', 'Used.', 'three', 'Three.']);
  });

  it('is there after a restart, held', async () => {
    const { path: dataDir, remove } = await tempDir();
    onTestFinished(remove);
    const before = await running({ dataDir });
    await before.queue.send(before.id, 'two');
    await before.close();
    const { queue } = await start({ dataDir });
    expect(queue.list()).toMatchObject([
      { conversationId: before.id, held: true, messages: [{ text: 'two', attachments: [] }] },
    ]);
  });
});
