import { describe, expect, it, onTestFinished } from 'vitest';
import { text } from '../../e2e/support/messagesEndpoint.ts';
import { startTurns, startWithEndpoint } from '../../e2e/support/turns.ts';
import { Titles } from './titles.ts';

type Bench = Awaited<ReturnType<typeof startTurns>>;

/** Names the conversation as the host does after a turn; its title then. */
async function named({ conversations, conversation, modelFor }: Bench, isWanted = true): Promise<string> {
  const titles = new Titles({ conversations, modelFor, isWanted: () => isWanted });
  onTestFinished(() => titles.close());
  await titles.consider(conversation.id);
  return conversations.get(conversation.id).title;
}

describe('the title of a conversation', () => {
  it.each([
    ['Sums of two numbers', 'Sums of two numbers'],
    ['# **“Sums of two numbers.”**\nThat is what it is about.', 'Sums of two numbers'],
    ['Sums\u202e of   two', 'Sums of two'],
    ['x'.repeat(500), 'x'.repeat(80)],
  ])('is what the model says, %j, on one line and without decoration', async (title, shown) => {
    const bench = await startWithEndpoint({ title });
    bench.endpoint.script.push({ blocks: [text('42.')] });
    await bench.say('What is 19 plus 23?');
    expect(await named(bench)).toBe(shown);
  });

  it('is the first words until the model has answered, when it fails, and when it is not wanted', async () => {
    const bench = await startWithEndpoint({});
    bench.endpoint.script.push({ status: 400 }, { blocks: [text('42.')] });
    await bench.say('What is 19 plus 23?');
    const requests = () => bench.endpoint.requests.length;
    const before = requests();
    expect(await named(bench)).toBe('What is 19 plus 23?');
    expect(requests()).toBe(before);
    await bench.say('Again');
    expect(await named(bench, false)).toBe('What is 19 plus 23?');
    expect(await named(bench)).toBe('What is 19 plus 23?');
  });

  it('takes tokens, which count for the conversation until it is deleted', async () => {
    const bench = await startWithEndpoint({ title: 'Sums' });
    const { conversations, conversation, db, endpoint } = bench;
    endpoint.script.push({ blocks: [text('42.')] });
    await bench.say('What is 19 plus 23?');
    const [answer, ...none] = conversations.usages(conversation.id);
    expect(none).toEqual([]);
    await named(bench);
    const usages = conversations.usages(conversation.id);
    expect(usages).toEqual([answer, { model: 'claude-opus-5-5', usage: expect.anything() }]);
    expect(usages[1]?.usage.output).toBeGreaterThan(0);
    conversations.delete(conversation.id);
    expect(db.prepare('SELECT * FROM other_usages').all()).toEqual([]);
  });

  it('is the first words with the Guide, which is no model', async () => {
    const bench = await startTurns({});
    await bench.say('Hello');
    expect(await named(bench)).toBe('Hello');
  });

  it('stays as a person gave it', async () => {
    const bench = await startWithEndpoint({ title: 'From the model' });
    bench.endpoint.script.push({ blocks: [text('42.')] });
    await bench.say('What is 19 plus 23?');
    bench.conversations.rename(bench.conversation.id, 'Mine');
    expect(await named(bench)).toBe('Mine');
  });
});
