import { expect, it, onTestFinished } from 'vitest';
import { tempDir } from '../../e2e/support/host.ts';
import { rawEntry } from '../../e2e/support/manager.ts';
import { type MessagesEndpoint, text, toolUse } from '../../e2e/support/messagesEndpoint.ts';
import { startTurns, startWithEndpoint } from '../../e2e/support/turns.ts';
import { contextReport } from './contextReport.ts';

const properties = { title: { type: 'string', description: 'words '.repeat(20) } };
const tool = (name: string, description = '') => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required: ['title'] },
});
const many = [
  ...Array.from({ length: 120 }, (_, at) => tool(`task_${at}`, 'Does something with tasks.')),
  tool('open_ticket', 'Opens a ticket in the tracker.'),
  tool('close_ticket', 'Closes a ticket in the tracker.'),
  tool('send_invoice', 'Bills a customer.'),
];
const servers = {
  large: rawEntry({ TOOLS: JSON.stringify(many) }),
  small: rawEntry({ TOOLS: JSON.stringify([tool('echo')]) }),
};
const done = { blocks: [text('Done.')] };
const sent = ({ requests }: MessagesEndpoint) =>
  requests.map(({ body }) => body.tools?.map(({ name }) => name) ?? []);
const beginning = ['find_tools', 'read_result', 'small__echo'];

it('of too many tools the model gets a few, and those that it finds are added at the end and stay, also after a restart', async () => {
  const { path: dataDir, remove } = await tempDir();
  onTestFinished(remove);
  const bench = await startWithEndpoint({ servers, dataDir });
  const { endpoint, say, conversation, messages } = bench;
  endpoint.script.push(
    {
      blocks: [
        toolUse('t1', 'find_tools', { query: 'open a ticket' }),
        toolUse('t2', 'find_tools', { query: 'invoices', server: 'large' }),
        toolUse('t3', 'find_tools', { query: 'zebra' }),
        toolUse('t4', 'find_tools', { server: 'large' }),
      ],
    },
    { blocks: [toolUse('t5', 'large__open_ticket', { title: 'Broken' })] },
    done,
    done,
  );
  expect(await say('Open a ticket')).toMatchObject({ status: 'complete' });
  await say('Thanks');
  expect(endpoint.requests.map(({ violation }) => violation)).toEqual(Array(4).fill(undefined));
  const found = [...beginning, 'large__open_ticket', 'large__close_ticket', 'large__send_invoice'];
  expect(sent(endpoint)).toEqual([beginning, found, found, found]);
  const [one, two, three, four, called] = messages().flatMap(({ blocks }) =>
    blocks.filter(block => block.type === 'toolCall'),
  );
  expect(one).toMatchObject({ status: 'done', title: 'Find tools' });
  expect(one?.result?.content[0]?.text).toContain('- large__open_ticket: Opens a ticket in the tracker.');
  expect(two?.status).toBe('done');
  expect(three).toMatchObject({ status: 'failed' });
  expect(four?.result?.content[0]?.text).toMatch(/large__task_0\n[\s\S]*and 23 more/);
  expect(called).toMatchObject({ status: 'done', server: 'large', tool: 'open_ticket' });
  // What had been sent of the tools is read from the cache.
  const [, second] = messages().flatMap(({ usage }) => usage ?? []);
  expect(second?.cacheRead).toBeGreaterThan(0);
  const report = await contextReport(
    { ...bench, prices: () => ({}), toolSearch: () => 'automatic' },
    conversation.id,
    { exact: false },
    new AbortController().signal,
  );
  expect(report.toolSearch).toEqual({ loaded: 4, all: 124 });
  await bench.close();

  const later = await startWithEndpoint({ servers, dataDir });
  later.endpoint.script.push(done, done);
  await later.turns.send(conversation.id, 'And now?');
  await later.idle();
  expect(JSON.stringify(later.endpoint.requests[0]?.body.tools)).toBe(
    JSON.stringify(endpoint.requests.at(-1)?.body.tools),
  );
  // Another conversation begins anew.
  await later.say('Hello');
  expect(sent(later.endpoint)).toEqual([found, beginning]);
}, 30_000);

it('a tool that the model calls without having it runs where the arguments fit, and is there from then on', async () => {
  const { endpoint, say, messages } = await startWithEndpoint({ servers });
  endpoint.script.push(
    { blocks: [toolUse('t1', 'large__open_ticket', {}), toolUse('t2', 'large__no_such', {})] },
    { blocks: [toolUse('t3', 'large__open_ticket', { title: 'Broken' })] },
    done,
  );
  await say('Open a ticket');
  const calls = messages().flatMap(({ blocks }) => blocks.filter(block => block.type === 'toolCall'));
  expect(calls).toMatchObject([
    { status: 'failed', error: { code: 'tool.arguments' } },
    { status: 'failed', error: { code: 'tool.unknown' } },
    { status: 'done' },
  ]);
  expect(sent(endpoint)[1]).toEqual([...beginning, 'large__open_ticket']);
});

it('is as the person wants it: never, or also where there are few tools', async () => {
  const never = await startWithEndpoint({ servers, toolSearch: 'never' });
  never.endpoint.script.push(done);
  await never.say('Hello');
  expect(sent(never.endpoint)[0]).toHaveLength(125);
  const always = await startWithEndpoint({ servers: { small: servers.small }, toolSearch: 'always' });
  always.endpoint.script.push(done);
  await always.say('Hello');
  expect(sent(always.endpoint)).toEqual([['find_tools', 'read_result']]);
});

it('the Guide, which is no model, always has all', async () => {
  const { say } = await startTurns(servers, { toolSearch: 'always' });
  expect(await say('/large open_ticket {"title":"Broken"}')).toMatchObject({ status: 'complete' });
});
