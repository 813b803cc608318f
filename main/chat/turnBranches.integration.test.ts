import { describe, expect, it } from 'vitest';
import { rawEntry } from '../../e2e/support/manager.ts';
import { type MessagesEndpoint, text, thinking, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startWithEndpoint as start } from '../../e2e/support/turns.ts';
import type { Message } from '../../shared/chat.ts';
import { promptTokens } from '../../shared/usage.ts';

const words = ({ blocks }: Message) =>
  blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join(' ');
const expectNoViolation = (endpoint: MessagesEndpoint) =>
  expect(endpoint.requests.map(({ violation }) => violation)).toEqual(endpoint.requests.map(() => undefined));

/** A conversation with a call and thinking in it: question, call, answer. */
async function withCall() {
  const bench = await start({ servers: { raw: rawEntry({ LOG: '1' }) } });
  const { endpoint, say, messages } = bench;
  const call = [thinking('I look', 'SIG1'), toolUse('t1', 'raw__echo', { message: 'x' })];
  endpoint.script.push({ blocks: call }, { blocks: [thinking('so', 'SIG2'), text('First.')] });
  await say('look');
  const [question, asking, answer] = messages().map(({ id }) => id) as [string, string, string];
  const shown = () => messages().map(words);
  return { ...bench, call, question, asking, answer, shown };
}

describe('another version', () => {
  it('of an answer is asked for with the very same prompt, which the cache has, results and thinking included', async () => {
    const { endpoint, turns, conversation, idle, messages, asking, answer, call, shown } = await withCall();
    endpoint.script.push(
      { blocks: [thinking('anew', 'SIG3'), text('Second.')] },
      { blocks: [text('Then.')] },
    );
    await turns.regenerate(conversation.id, answer);
    await idle();
    expect(shown()).toEqual(['look', '', 'Second.']);
    const again = messages().at(-1);
    expect(again).toMatchObject({ parentId: asking, versions: [answer, again?.id], status: 'complete' });
    expect(endpoint.requests[2]?.body).toEqual(endpoint.requests[1]?.body);
    expect(again?.usage && promptTokens(again.usage)).toBe(again?.usage?.cacheRead);

    await turns.send(conversation.id, 'and then?');
    await idle();
    const sent = endpoint.requests[3]?.body.messages;
    expect(sent?.[1]?.content).toEqual(call);
    expect(JSON.stringify(sent?.[3])).toContain('SIG3');
    expect(JSON.stringify(sent)).not.toMatch(/SIG2|First/);
    expectNoViolation(endpoint);
  });

  it('of the person’s message runs from where it stands; the old branch stays and is gone on with', async () => {
    const { endpoint, turns, branches, conversation, idle, question, answer, shown } = await withCall();
    endpoint.script.push({ blocks: [text('Other.')] }, { blocks: [text('On.')] });
    const file = { type: 'attachment' as const, name: 'a.txt', text: 'content' };
    await turns.edit(conversation.id, question, 'do not look', [file]);
    await idle();
    expect(shown()).toEqual(['do not look', 'Other.']);
    expect(endpoint.requests[2]?.body.messages).toHaveLength(1);
    expect(JSON.stringify(endpoint.requests[2]?.body.messages)).toContain('content');

    branches.show(conversation.id, answer);
    expect(shown()).toEqual(['look', '', 'First.']);
    await turns.send(conversation.id, 'on');
    await idle();
    expect(shown()).toEqual(['look', '', 'First.', 'on', 'On.']);
    expect(JSON.stringify(endpoint.requests[3]?.body)).not.toContain('do not look');
    expectNoViolation(endpoint);
  });

  it('of all of an answer runs its calls anew, and tells of tools that have come on that branch too', async () => {
    const {
      endpoint,
      turns,
      manager,
      registry,
      conversation,
      idle,
      messages,
      question,
      asking,
      answer,
      say,
    } = await withCall();
    await manager.add('more', {
      type: 'stdio',
      command: process.execPath,
      args: [...(rawEntry().args ?? [])],
    });
    await manager.settled();
    registry.available({});
    endpoint.script.push({ blocks: [text('I see them.')] }, { blocks: [text('First, anew.')] });
    await say('do you see new tools?');
    await turns.regenerate(conversation.id, answer);
    await idle();
    expect(messages().at(-1)?.blocks).toMatchObject([{ code: 'tools.changed' }, { text: 'First, anew.' }]);
    for (const { body } of endpoint.requests.slice(2, 4))
      expect(JSON.stringify(body.messages)).toContain('New tools are available: more__');

    endpoint.script.push(
      { blocks: [toolUse('t2', 'raw__echo', { message: 'y' })] },
      { blocks: [text('Done.')] },
    );
    await turns.regenerate(conversation.id, question);
    await idle();
    expect(messages()[1]?.versions?.[0]).toBe(asking);
    expect(messages().map(({ blocks }) => blocks.map(({ type }) => type))).toEqual([
      ['text'],
      ['toolCall'],
      ['text'],
    ]);
    expect(manager.log('raw').filter(line => line.includes('tools/call'))).toHaveLength(2);
    expectNoViolation(endpoint);
  });

  it('is refused while a turn runs, and of what is gone or cannot be edited', async () => {
    const { endpoint, turns, conversation, idle, question, answer, shown } = await withCall();
    await expect(turns.regenerate(conversation.id, 'gone')).rejects.toMatchObject({
      code: 'message.notFound',
    });
    await expect(turns.edit(conversation.id, answer, 'x')).rejects.toMatchObject({ code: 'message.role' });
    await expect(turns.edit(conversation.id, 'gone', 'x')).rejects.toMatchObject({
      code: 'message.notFound',
    });
    endpoint.script.push({ blocks: [text('On.')] });
    await turns.send(conversation.id, 'on');
    const busy = { code: 'chat.busy' };
    await expect(turns.regenerate(conversation.id, answer)).rejects.toMatchObject(busy);
    await expect(turns.edit(conversation.id, question, 'x')).rejects.toMatchObject(busy);
    expect(() => turns.mustRest(conversation.id)).toThrow(expect.objectContaining(busy));
    await idle();
    expect(shown()).toEqual(['look', '', 'First.', 'on', 'On.']);
  });
});

it('a fork has all up to its message, with results and thinking as they came, and says what it is', async () => {
  const { endpoint, turns, branches, conversations, conversation, idle, say, answer, call } =
    await withCall();
  endpoint.script.push({ blocks: [text('Later.')] }, { blocks: [text('In the fork.')] });
  await say('later');
  const before = conversations.messages(conversation.id);
  conversations.configure(conversation.id, { instructions: 'Be brief.' });
  const fork = branches.fork(conversation.id, answer);
  expect(fork).toMatchObject({ title: 'look (fork)', settings: { instructions: 'Be brief.' } });
  await turns.send(fork.id, 'on');
  await idle();
  const sent = endpoint.requests.at(-1)?.body.messages;
  expect(sent?.[1]?.content).toEqual(call);
  expect(sent?.slice(0, 3)).toMatchObject(
    endpoint.requests[1]?.body.messages.map(({ role }) => ({ role })) ?? [],
  );
  expect(JSON.stringify(sent)).toContain('SIG2');
  expect(JSON.stringify(sent)).not.toContain('later');
  expect(conversations.messages(fork.id).map(words)).toEqual(['look', '', 'First.', 'on', 'In the fork.']);
  expect(conversations.messages(conversation.id)).toEqual(before);
  expectNoViolation(endpoint);

  conversations.delete(conversation.id);
  expect(conversations.messages(fork.id)).toHaveLength(5);
  const last = conversations.messages(fork.id).at(-1)?.id ?? '';
  const next = branches.fork(fork.id, last);
  expect(next.title).toBe('look (fork 2)');
});
