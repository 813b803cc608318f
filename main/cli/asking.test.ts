import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { Asks } from '../consent/asks.ts';
import { HostEvents } from '../events.ts';
import { type AskingOptions, answerAsks } from './asking.ts';
import { Terminal } from './terminal.ts';

const events = new HostEvents();
const asks = new Asks(events.emit);
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const cursorAfterQuestion = new RegExp(`: (${'\u001b'}\\[\\d+G)?$`);

/** A person at a terminal who types the lines, one for each time the terminal waits, and takes their time. */
function person(...lines: string[]) {
  let seconds = 0;
  return typist(lines, () => 1000 * seconds++);
}

/** @param now what the terminal takes for the time, asked once for each decision and once for each line of it */
function typist(lines: string[], now: () => number) {
  const input = new PassThrough();
  const output = new PassThrough();
  const terminal = new Terminal(input, output, { interactive: true, now });
  closers.push(() => terminal.close());
  let screen = '';
  output.on('data', chunk => {
    screen += chunk;
    // Each question ends with a colon and a space and leaves the cursor there.
    if (cursorAfterQuestion.test(screen) && lines.length > 0) {
      screen += '\n';
      input.write(`${lines.shift()}\n`);
    }
  });
  return { openTerminal: () => terminal, screen: () => screen, typed: () => lines.length === 0, input };
}

function answering(options: Partial<AskingOptions>) {
  const notes: string[] = [];
  const asking = answerAsks(
    { events, asks },
    {
      approve: 'ask',
      answer: undefined,
      keep: false,
      openTerminal: undefined,
      note: note => notes.push(note),
      runs: () => 'node files.js',
      mute: () => undefined,
      ...options,
    },
  );
  closers.push(asking.stop);
  return { notes, asking };
}

const approval = {
  kind: 'approval',
  callId: '1',
  server: 'files',
  tool: 'remove\u202e',
  description: 'Removes\na file',
  args: { path: '/tmp/x\u001b[2J' },
  inputSchema: {},
} as const;
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
      default: 's',
    },
    days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue'] } },
    n: { type: 'integer', maximum: 5 },
    sure: { type: 'boolean', default: true },
  },
  required: ['name', 'sure'],
};
const elicitation = { kind: 'elicitation', server: 'shop', message: 'What\u001b[31m now?', schema } as const;
const page = { kind: 'urlElicitation', server: 'shop', message: 'Sign in', url: 'https://a.test/x' } as const;

describe('a tool call', () => {
  it.each([
    ['y', 'allow'],
    ['a', 'allowAlways'],
    ['No', 'deny'],
    ['s', 'stop'],
  ])('answered with %s', async (letter, action) => {
    const { openTerminal, screen } = person('what?', letter);
    answering({ openTerminal });
    expect(await asks.ask(approval)).toEqual({ action });
    expect(screen()).toContain('files · remove[U+202E]');
    expect(screen()).toContain('Removes a file');
    expect(screen()).toContain('"/tmp/x\\u001b[2J"');
  });

  it('shows what runs, what the server claims and what it changed, and knows the conversation', async () => {
    const { openTerminal, screen } = person('c');
    answering({ openTerminal });
    const changed = {
      ...approval,
      conversationId: 'one',
      annotations: { readOnlyHint: true },
      change: {
        before: { description: 'Removes a file', inputSchema: {} },
        now: { description: 'Removes every file', inputSchema: {} },
      },
    };
    expect(await asks.ask(changed)).toEqual({ action: 'allowInConversation' });
    expect(screen()).toContain('The server is: node files.js');
    expect(screen()).toContain('The server says: read-only.');
    expect(screen()).toContain('    - a\n    + every\n');
  });

  it('has its arguments changed, as a form or as JSON; what does not fit is asked again', async () => {
    const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
    const asForm = person('e', '/tmp/y', 'y');
    const first = answering({ openTerminal: asForm.openTerminal });
    expect(await asks.ask({ ...approval, args: { path: '/tmp/x' }, inputSchema })).toEqual({
      action: 'allow',
      args: { path: '/tmp/y' },
    });
    first.asking.stop();
    const asJson = person('e', '{"path":1}', 'e', 'nonsense', 'e', '{"path":"/b"}');
    const { notes } = answering({ openTerminal: asJson.openTerminal });
    const check = (answer: object) =>
      'args' in answer && JSON.stringify(answer.args).includes('1') ? 'path must be string' : undefined;
    expect(await asks.ask(approval, undefined, check)).toEqual({ action: 'allow', args: { path: '/b' } });
    expect(notes).toEqual(['path must be string']);
    expect(asJson.screen()).toContain('This is not JSON');
  });

  it('is not allowed by a line that was being typed when it came, nor by a sentence', async () => {
    const times = [1000, 1001, 1399];
    const { openTerminal, screen } = typist(['y', 'y', 'yes please do', 'n'], () => times.shift() ?? 0);
    answering({ openTerminal });
    expect(await asks.ask(approval)).toEqual({ action: 'deny' });
    expect(screen().match(/too fast/g)).toHaveLength(2);
  });

  it('is stopped when the input ends', async () => {
    const { openTerminal, input } = person();
    answering({ openTerminal });
    const answer = asks.ask(approval);
    input.end();
    expect(await answer).toEqual({ action: 'stop' });
  });

  it.each([
    ['all', 'allow'],
    ['none', 'deny'],
  ] as const)('is answered by --approve %s', async (approve, action) => {
    const { asking } = answering({ approve, openTerminal: undefined });
    expect(await asks.ask(approval)).toEqual({ action });
    expect(asking.unanswered).toBe(0);
  });

  it('is declined without a terminal, and said so', async () => {
    const { notes, asking } = answering({});
    expect(await asks.ask(approval)).toEqual({ action: 'deny' });
    expect(notes).toEqual([expect.stringMatching(/files was to run remove\[U\+202E\].*--approve all/)]);
    expect(asking.unanswered).toBe(1);
  });
});

describe('a form', () => {
  it('is asked field by field and sent after a yes', async () => {
    const { openTerminal, screen, typed } = person('x', 'Ada', '3', '2', '1,2', '9', '4', '', 'y');
    answering({ openTerminal });
    expect(await asks.ask(elicitation)).toEqual({
      action: 'accept',
      content: { name: 'Ada', size: 'l', days: ['mon', 'tue'], n: 4, sure: true },
    });
    expect(typed()).toBe(true);
    expect(screen()).toContain('shop asks:');
    expect(screen()).toContain('What[U+001B][31m now?');
    expect(screen()).toContain('1) Small');
    expect(screen()).toContain('at least 2 characters');
    expect(screen()).toContain('number of an answer');
    expect(screen()).toContain('To be sent: {"name":"Ada"');
  });

  it('can be edited before it is sent, and emptied', async () => {
    const { openTerminal } = person('Ada', '', '', '2', 'n', 'e', 'Bob', '-', 'tue', '-', '', 'y');
    answering({ openTerminal });
    expect(await asks.ask(elicitation)).toEqual({
      action: 'accept',
      content: { name: 'Bob', days: ['tue'], sure: false },
    });
  });

  it.each([
    [['Ada', '/decline'], 'decline'],
    [['/cancel'], 'cancel'],
    [['Ada', '', '', '', '', 'd'], 'decline'],
    [['Ada', '', '', '', '', 'c'], 'cancel'],
  ])('after %j it is answered %s', async (lines, action) => {
    const { openTerminal } = person(...lines);
    answering({ openTerminal });
    expect(await asks.ask(elicitation)).toEqual({ action });
  });

  it('ends when the server takes it back, and the next question is asked', async () => {
    const { openTerminal, input, screen } = person();
    answering({ openTerminal });
    const gone = new AbortController();
    const first = asks.ask(elicitation, gone.signal);
    const second = asks.ask({ ...approval, tool: 'second' });
    gone.abort();
    expect(await first).toEqual({ action: 'cancel' });
    await expect.poll(screen).toContain('files · second');
    input.write('y\n');
    expect(await second).toEqual({ action: 'allow' });
  });

  it('is answered by --answer and its own defaults', async () => {
    const { notes } = answering({ answer: { content: { name: 'Ada', other: 1 } } });
    const content = { name: 'Ada', size: 's', sure: true };
    expect(await asks.ask(elicitation)).toEqual({ action: 'accept', content });
    expect(notes).toEqual([]);
  });

  it.each([
    [{ name: 'A' }, 'name: Enter at least 2'],
    [{ name: 'Ada', n: 'four' }, 'n: This value does not fit'],
    [{}, 'name: Please fill this in'],
  ])('is cancelled when --answer %j does not fit', async (content, note) => {
    const { notes, asking } = answering({ answer: { content } });
    expect(await asks.ask(elicitation)).toEqual({ action: 'cancel' });
    expect(notes).toEqual([expect.stringContaining(note)]);
    expect(asking.unanswered).toBe(1);
  });

  it.each(['decline', 'cancel'] as const)('is answered by --answer %s', async answer => {
    answering({ answer });
    expect(await asks.ask(elicitation)).toEqual({ action: answer });
  });

  it('is declined without a terminal, and its schema is told', async () => {
    const { notes } = answering({});
    expect(await asks.ask(elicitation)).toEqual({ action: 'decline' });
    expect(notes.join()).toMatch(/shop asks: What\[U\+001B\]\[31m now\?.*--answer.*"minLength":2/);
  });
});

describe('every kind of field in a terminal', () => {
  /** What was answered to a form of this one field after these lines, and what was on the screen. */
  const fill = async (property: object, ...lines: string[]) => {
    const { openTerminal, screen } = person(...lines, 'y');
    answering({ openTerminal });
    const schema = { type: 'object', properties: { it: property }, required: ['it'] };
    const answer = await asks.ask({ ...elicitation, schema });
    return { content: 'content' in answer ? answer.content : answer, screen: screen() };
  };

  it.each<[string, object, string[], unknown, string]>([
    ['text', { type: 'string', maxLength: 3 }, ['abcd', 'abc'], 'abc', 'At most 3 characters'],
    ['text of several lines', { type: 'string' }, ['"one\\ntwo"'], 'one\ntwo', 'written as JSON'],
    ['a pattern', { type: 'string', pattern: '^[a-z]+$' }, ['A', 'a'], 'a', 'must match the pattern'],
    [
      'an e-mail address',
      { type: 'string', format: 'email' },
      ['a', 'a@b.test'],
      'a@b.test',
      'name@example.com',
    ],
    [
      'an address',
      { type: 'string', format: 'uri' },
      ['b.test', 'https://b.test'],
      'https://b.test',
      'whole address',
    ],
    [
      'a date',
      { type: 'string', format: 'date' },
      ['2027-02-30', '2027-02-28'],
      '2027-02-28',
      'Enter a date',
    ],
    [
      'a moment',
      { type: 'string', format: 'date-time' },
      ['soon', '2027-02-28 09:30Z'],
      '2027-02-28T09:30:00Z',
      'a date and a time',
    ],
    ['a step', { type: 'number', multipleOf: 0.1 }, ['0.35', '0.3'], 0.3, 'In steps of 0.1'],
    ['a bound', { type: 'integer', exclusiveMinimum: 0, maximum: 5 }, ['0', '5'], 5, 'More than 0'],
    ['yes or no', { type: 'boolean' }, ['maybe', 'n'], false, 'answer y or n'],
    ['a choice', { oneOf: [{ const: 'p1', title: 'Free' }] }, ['2', '1'], 'p1', '1) Free'],
    [
      'old choices',
      { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      ['Green'],
      'g',
      '2) Green',
    ],
    [
      'some of many',
      { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2 },
      ['1', '3,1'],
      ['a', 'c'],
      'Choose at least 2',
    ],
    ['a secret', { type: 'integer', title: 'PIN' }, ['1'], 1, 'Servers must not ask for passwords'],
  ])('%s', async (_what, property, lines, value, words) => {
    const { content, screen } = await fill(property, ...lines);
    expect(content).toEqual({ it: value });
    expect(screen).toContain(words);
  });

  it('says what no form can ask for', async () => {
    const { openTerminal, screen } = person('y');
    answering({ openTerminal });
    const schema = { type: 'object', properties: { addr: { type: 'object', title: 'Add\u202eress' } } };
    expect(await asks.ask({ ...elicitation, schema })).toEqual({ action: 'accept', content: {} });
    expect(screen()).toContain('“Add[U+202E]ress” cannot be asked');
  });

  it('is asked again when the last check refuses the answer', async () => {
    const { openTerminal } = person('Ada', '', '', '', '', 'y', 'Bob', '', '', '', '', 'y');
    const { notes } = answering({ openTerminal });
    const check = (answer: object) =>
      JSON.stringify(answer).includes('Ada') ? 'Nothing was sent: not Ada.' : undefined;
    const answer = await asks.ask(elicitation, undefined, check);
    expect(answer).toMatchObject({ content: { name: 'Bob' } });
    expect(notes).toEqual(['Nothing was sent: not Ada.']);
  });

  it('is cancelled when the last check refuses what --answer gives', async () => {
    const { notes, asking } = answering({ answer: { content: { name: 'Ada' } } });
    expect(
      await asks.ask(elicitation, undefined, given => (given.action === 'accept' ? 'No.' : undefined)),
    ).toEqual({
      action: 'cancel',
    });
    expect(notes).toEqual(['No.']);
    expect(asking.unanswered).toBe(1);
  });
});

describe('the wait for a page', () => {
  const waiting = { kind: 'urlWaiting', server: 'shop', url: 'https://a.test/x' } as const;

  it.each([
    ['f', 'finished'],
    ['a', 'openAgain'],
    ['c', 'cancel'],
  ])('answered with %s', async (letter, action) => {
    const { openTerminal } = person(letter);
    answering({ openTerminal });
    expect(await asks.ask(waiting)).toEqual({ action });
  });

  it('ends when the server says that it is over', async () => {
    const { openTerminal, screen } = person();
    answering({ openTerminal });
    const over = new AbortController();
    const answer = asks.ask(waiting, over.signal);
    await expect.poll(screen).toContain('I have finished there');
    over.abort();
    expect(await answer).toEqual({ action: 'cancel' });
  });

  it('is left to the server where --answer agreed beforehand', async () => {
    answering({ answer: { content: {} } });
    expect(await asks.ask(waiting)).toEqual({ action: 'finished' });
  });
});

describe('a page to be opened', () => {
  it.each([
    ['y', 'accept'],
    ['d', 'decline'],
    ['c', 'cancel'],
  ])('answered with %s', async (letter, action) => {
    const { openTerminal, screen } = person(letter);
    answering({ openTerminal });
    expect(await asks.ask({ ...page, url: 'http://paypal.com@evil.test/x' })).toEqual({ action });
    expect(screen()).toMatch(/Site: +evil\.test/);
    expect(screen()).toContain('before the @ is a user name');
    expect(screen()).toContain('http://paypal.com@evil.test/x');
  });

  it('is never opened when it is no web page', async () => {
    const { notes } = answering({ answer: { content: {} } });
    expect(await asks.ask({ ...page, url: 'file:///etc/passwd' })).toEqual({ action: 'decline' });
    expect(notes.join()).toContain('Only web pages');
  });

  it('is agreed to by --answer {}, and declined without a terminal', async () => {
    answering({ answer: { content: {} } });
    expect(await asks.ask(page)).toEqual({ action: 'accept' });
    for (const close of closers.splice(0)) close();
    const { notes } = answering({});
    expect(await asks.ask(page)).toEqual({ action: 'decline' });
    expect(notes.join()).toContain('https://a.test/x');
  });
});

it("the Guide's question for arguments starts from what it knows", async () => {
  const question = {
    kind: 'arguments',
    server: 'math',
    tool: 'add',
    values: { a: 19 },
    schema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  } as const;
  const { openTerminal, screen } = person('', 'many', '23', 'y');
  answering({ openTerminal });
  expect(await asks.ask(question)).toEqual({ action: 'accept', content: { a: 19, b: 23 } });
  expect(screen()).toContain('[19]');
  for (const close of closers.splice(0)) close();
  answering({});
  expect(await asks.ask(question)).toEqual({ action: 'cancel' });
});

describe('a prompt of a server for the language model', () => {
  const about = { server: 'writer', model: 'claude-x' };
  const prompt = {
    ...about,
    kind: 'sampling' as const,
    models: ['claude-x'],
    hints: ['gpt'],
    systemPrompt: 'Be brief',
    messages: [{ role: 'user' as const, content: [{ type: 'text', text: 'Say\u202e hi' }] }],
    tools: [],
    maxTokens: 50,
  };
  const content = [{ type: 'text', text: 'hi' }];
  const completion = { ...about, kind: 'samplingResult' as const, content, stopReason: 'endTurn' };

  it('is shown whole and goes out with a yes, and so does the answer', async () => {
    const { openTerminal, screen } = person('y', 'y');
    answering({ openTerminal });
    const { systemPrompt, messages, maxTokens } = prompt;
    const sent = { action: 'allow', model: 'claude-x', systemPrompt, messages, maxTokens };
    expect(await asks.ask(prompt)).toEqual(sent);
    expect(screen()).toMatch(/writer wants to ask.*at most 50 tokens.*gpt.*Be brief.*Say.*hi/s);
    expect(screen()).not.toContain('\u202e');
    expect(await asks.ask(completion)).toEqual({ action: 'allow', content });
    expect(screen()).toMatch(/claude-x answered writer/);
  });

  it.each([
    ['without a terminal, also when every call is approved', { approve: 'all' as const }],
    ['when nothing is approved', { approve: 'none' as const, openTerminal: person().openTerminal }],
  ])('is declined %s', async (_when, options) => {
    answering(options);
    expect(await asks.ask(prompt)).toEqual({ action: 'deny' });
    expect(await asks.ask(completion)).toEqual({ action: 'deny' });
  });
});

describe('a server that asks much at once', () => {
  const flood = () => Array.from({ length: 3 }, () => asks.ask({ ...elicitation, conversationId: 'one' }));

  it('is declined as a whole, or muted', async () => {
    const all = person('d');
    const first = answering({ openTerminal: all.openTerminal });
    const declined = flood();
    expect(await Promise.all(declined)).toEqual(declined.map(() => ({ action: 'decline' })));
    expect(all.screen()).toContain('shop has 3 questions.');
    first.asking.stop();

    const muted: unknown[] = [];
    const mute = (server: string, conversationId: string | undefined) => {
      muted.push([server, conversationId]);
      asks.declineAll(server, conversationId);
    };
    answering({ openTerminal: person('m').openTerminal, mute });
    const silenced = flood();
    expect(await Promise.all(silenced)).toEqual(silenced.map(() => ({ action: 'decline' })));
    expect(muted).toEqual([['shop', 'one']]);
  });

  it('is heard question by question by whoever wants that', async () => {
    const { openTerminal, screen } = person('o', '/decline', '/cancel', '/decline');
    answering({ openTerminal });
    expect(await Promise.all(flood())).toEqual([
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'decline' },
    ]);
    expect(screen().match(/has 3 questions/g)).toHaveLength(1);
  });
});
