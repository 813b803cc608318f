import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commandLine, hasTerminal } from '../../e2e/support/commandLine.ts';
import { startMessagesEndpoint, text } from '../../e2e/support/messagesEndpoint.ts';
import { Policy } from '../consent/policy.ts';
import { openDatabase } from '../database.ts';

const { parley, parleyWith, start, serversFile, processesOfThisTest, home } = commandLine();
const everything = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');

describe('standing answers and the log', () => {
  it('are listed and revoked, and tell who decided, without starting a server', async () => {
    expect((await parley('rules')).stdout).toContain('None: every call is asked about.');
    await parley('ask', '--model', 'guide', '--approve', 'all', 'add 19 and 23');
    await parley('ask', '--model', 'guide', 'add 1 and 2');
    const log = await parley('audit');
    expect(log).toMatchObject({ status: 0, stderr: '' });
    const entries = log.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    const decisions = entries.filter(({ event }) => event === 'answered');
    expect(decisions).toMatchObject([
      { kind: 'approval', server: 'sample', tool: 'add', decision: 'allow', by: 'option' },
      { kind: 'approval', server: 'sample', tool: 'add', decision: 'deny', by: 'nobody' },
    ]);

    const db = openDatabase(join(home(), '.config', 'Parley', 'parley.db'));
    const identity = { server: 'sample', tool: 'add', inputSchema: {} };
    new Policy(db).set(identity, 'allow', 'approval');
    db.close();
    expect((await parley('rules')).stdout).toMatch(/^allow +sample · add +since .* by an answer\n$/);
    expect((await parley('rules', 'revoke', 'sample', 'subtract')).status).toBe(1);
    expect(await parley('rules', 'revoke', 'sample', 'add')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Revoked: allow'),
    });
    expect((await parley('rules', '--json')).result).toEqual({ rules: [] });
  });
});

describe('conversations as files', () => {
  it('go out and come in, also into a home that is new', async () => {
    await parley('ask', '--model', 'guide', '--approve', 'all', 'add 19 and 23');
    const file = join(home(), 'all.json');
    expect(await parley('export', file)).toMatchObject({ status: 0, stderr: '' });
    const other = join(home(), 'other');
    expect(await parley('import', file, '--data', other)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Imported 1.'),
    });
    expect(readFileSync(join(other, 'servers.json'), 'utf8')).toContain('parley-sample-server');
    const text = join(home(), 'all.md');
    expect(await parley('export', text, '--data', other)).toMatchObject({ status: 0 });
    expect(readFileSync(text, 'utf8')).toMatch(
      /^# add 19 and 23\n[\s\S]*\*\*Tool: sample › add\*\* \(done\)/,
    );
    expect(await parley('import', text)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be imported'),
    });
  });
});

describe('on a machine that has never seen Parley', () => {
  it('the Guide adds two numbers with the sample server', async () => {
    const { status, stdout, stderr } = await parley(
      'ask',
      '--model',
      'guide',
      '--approve',
      'all',
      'add 19 and 23',
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('42');
    expect(readdirSync(join(home(), '.config', 'Parley'))).toContain('servers.json');
  });

  it('without a key the Guide is what answers', async () => {
    const { status, result } = await parley('ask', '--json', '--approve', 'all', 'add 19 and 23');
    expect(status).toBe(0);
    expect(result).toMatchObject({ model: 'guide', worked: true, answer: expect.stringContaining('42') });
  });

  it('--data keeps everything in that directory', async () => {
    const data = join(home(), 'elsewhere');
    expect((await parley('--data', data, 'servers')).status).toBe(0);
    expect(readdirSync(data)).toContain('parley.db');
    expect(readdirSync(home())).not.toContain('.config');
  });
});

describe('lists', () => {
  it('the servers', async () => {
    const { status, result, events } = await parley('servers', '--json');
    expect(status).toBe(0);
    expect(result).toEqual({
      servers: [
        {
          name: 'sample',
          state: 'ready',
          era: 'modern',
          eraReason: 'discovered',
          version: '2026-07-28',
          tools: 9,
          prompts: 1,
          resources: 4,
          error: null,
        },
      ],
    });
    expect(events).toContainEqual(expect.objectContaining({ event: 'server.changed' }));
    const { stdout } = await parley('servers');
    expect(stdout).toMatch(/● sample {2}ready {2}modern 2026-07-28, 9 tools, 1 prompt, 4 resources/);
  });

  it('the tools', async () => {
    const { status, result } = await parley('tools', '--json');
    expect(status).toBe(0);
    expect(result.tools[0]).toEqual({
      server: 'sample',
      name: 'add',
      modelName: expect.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/),
      title: 'Add two numbers',
      description: 'Adds two numbers and returns the sum.',
      inputSchema: expect.objectContaining({ type: 'object', required: ['a', 'b'] }),
      enabled: true,
    });
    expect((await parley('tools')).stdout).toMatch(/^sample {2}add\n {4}Add two numbers: Adds two numbers/);
  });

  it('a server that fails, with the reason', async () => {
    const config = serversFile({ gone: { command: 'no-such-program-anywhere' } });
    const { status, result } = await parley('servers', '--json', '--config', config);
    expect(status).toBe(0);
    expect(result.servers).toMatchObject([
      { name: 'gone', state: 'failed', error: { message: expect.any(String) } },
    ]);
    const called = await parley('call', 'gone', 'anything', '--config', config);
    expect(called.status).toBe(1);
    expect(called.stderr).toContain('“gone” is failed');
  });
});

describe('calls a tool', () => {
  it('and shows the result as the model and as the server sees it', async () => {
    const { status, result, events } = await parley('call', 'sample', 'add', '{"a":19,"b":23}', '--json');
    expect(status).toBe(0);
    expect(result).toEqual({
      server: 'sample',
      tool: 'add',
      args: { a: 19, b: 23 },
      status: 'done',
      modelContent: [{ type: 'text', text: '19 + 23 = 42' }],
      result: { content: [{ type: 'text', text: '19 + 23 = 42' }] },
      error: null,
    });
    expect(events.map(event => event.event)).toContain('call.changed');
    expect((await parley('call', 'sample', 'add', '{"a":19,"b":23}')).stdout).toBe('19 + 23 = 42\n');
  });

  it('and names a picture', async () => {
    const { status, stdout } = await parley('call', 'sample', 'draw-chart', '{"values":[1,2,3]}');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\[image\/png, \d+ kB\]\nA bar chart of 3 values: 1, 2, 3\.\n$/);
  });

  it('and fails when the tool does', async () => {
    const { status, stdout, stderr } = await parley('call', 'sample', 'time-in', '{"zone":"Moon"}');
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('“Moon” is no time zone');
  });

  it.each([[[]], [['--json']]])('and shows what went over the wire, without secrets, %j', async more => {
    const echo = { command: process.execPath, args: [everything], env: { TOKEN: 'top-s3cret' } };
    const args = ['echo', '{"message":"is top-s3cret"}', '--config', serversFile({ every: echo }), '--wire'];
    const { status, stdout, stderr } = await parley('call', 'every', ...args, ...more);
    expect(status).toBe(0);
    const lines = stderr.trim().split('\n');
    for (const line of lines) expect(line).toMatch(/^every [→←] \{.*\}$/);
    expect(stderr).not.toContain('top-s3cret');
    const messages = lines.map(line => ({ arrow: line[6], ...JSON.parse(line.slice(8)) }));
    // The first and the last of all; nothing twice.
    expect(messages[0]).toMatchObject({ arrow: '→', method: 'server/discover' });
    const call = messages.find(({ method }) => method === 'tools/call');
    expect(call.params.arguments).toEqual({ message: 'is [hidden]' });
    expect(messages.filter(({ arrow, id }) => arrow === '←' && id === call.id)).toMatchObject([
      { result: { content: [{ text: 'Echo: is [hidden]' }] } },
    ]);
    // What is printed of the call itself is the answer as it came.
    expect(stdout).toContain('Echo: is top-s3cret');
    expect(stdout).not.toContain('server.traffic');
  });

  it('of a legacy server', async () => {
    const config = serversFile({ every: { command: process.execPath, args: [everything] } });
    const { status, stdout } = await parley(
      'call',
      'every',
      'echo',
      '{"message":"hello"}',
      '--config',
      config,
    );
    expect([status, stdout]).toEqual([0, 'Echo: hello\n']);
    const { result } = await parley('servers', '--json', '--config', config);
    expect(result.servers).toMatchObject([{ name: 'every', state: 'ready', era: 'legacy' }]);
  });

  it('not when --approve says no', async () => {
    const { status, stderr, result } = await parley(
      ...['call', 'sample', 'add', '{"a":1,"b":2}', '--approve', 'none', '--json'],
    );
    expect([status, result.status, result.result]).toEqual([1, 'denied', null]);
    expect(stderr).toContain('declined this call');
  });
});

describe('what a server offers beside tools', () => {
  it('its resources and templates, and one of them read', async () => {
    const { status, result } = await parley('resources', 'sample', '--json');
    expect(status).toBe(0);
    expect(result.resources).toContainEqual(
      expect.objectContaining({ server: 'sample', uri: 'sample://about', mimeType: 'text/markdown' }),
    );
    expect(result.templates).toEqual([
      expect.objectContaining({ uriTemplate: 'sample://recipes/{name}', variables: ['name'] }),
    ]);
    expect((await parley('resources')).stdout).toMatch(
      /^sample {2}sample:\/\/about\n {4}About this server: /,
    );
    const read = await parley('read', 'sample', 'sample://recipes/salad');
    expect([read.status, read.stdout]).toEqual([0, expect.stringMatching(/^Cut a cucumber.*salt\.\n$/)]);
    expect((await parley('read', 'sample', 'sample://about', '--json')).result).toMatchObject({
      server: 'sample',
      uri: 'sample://about',
      contents: [{ mimeType: 'text/markdown', text: expect.stringContaining('# Parley sample server') }],
    });
  });

  it('its prompts, and one of them fetched', async () => {
    const { status, result } = await parley('prompts', '--json');
    expect([status, result.prompts]).toMatchObject([
      0,
      [{ server: 'sample', name: 'cook', arguments: [{ name: 'dish', required: true }, { name: 'people' }] }],
    ]);
    expect((await parley('prompts', 'sample')).stdout).toMatch(/^sample {2}cook <dish> \[people\]\n/);
    const { stdout } = await parley('prompt', 'sample', 'cook', '{"dish":"salad","people":"5"}');
    expect(stdout).toBe('user:\nWrite a shopping list and a plan to cook salad for 5 people.\n');
  });

  it('completes arguments', async () => {
    const { status, stdout } = await parley('complete', 'sample', 'prompt', 'cook', 'dish', 'p');
    expect([status, stdout]).toEqual([0, 'pancakes\nporridge\n']);
    const { result } = await parley(
      ...['complete', 'sample', 'resource', 'sample://recipes/{name}', 'name', 'pa', '{}', '--json'],
    );
    expect(result).toMatchObject({ values: ['pancakes'], hasMore: false });
  });

  it.each<[string, string[], RegExp]>([
    ['a resource that is not there', ['read', 'sample', 'sample://recipes/soup'], /does not have “sample:/],
    ['an address that is none', ['read', 'sample', 'soup'], /no address of a resource/],
    ['a missing argument', ['prompt', 'sample', 'cook', '{}'], /“dish” is missing[\s\S]*dish, people \(opt/],
    ['an unknown argument', ['prompt', 'sample', 'cook', '{"dish":"a","x":"b"}'], /there is no “x”/],
    ['arguments that are no text', ['prompt', 'sample', 'cook', '{"dish":1}'], /no JSON object of texts/],
    ['an unknown server', ['resources', 'nobody'], /no server “nobody”/],
  ])('and tells of %s', async (_what, args, message) => {
    const { status, stderr } = await parley(...args);
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe("a server's question", () => {
  const book = (...args: string[]) => parley('call', 'sample', 'book-table', ...args);

  it('is answered by --answer, with the defaults of the form', async () => {
    const { status, stdout } = await book('--answer', '{"name":"Ada","day":"2027-01-31","guests":4}');
    expect(status).toBe(0);
    expect(stdout).toContain(
      'Booked for Ada: a table for 4 on 2027-01-31 at 18:30, inside. Diets: vegetarian.',
    );
  });

  it.each([
    ['decline', 'the person declined'],
    ['cancel', 'the person closed the form'],
  ])('is answered with %s', async (answer, said) => {
    const { status, stdout } = await book('--answer', answer);
    expect([status, stdout]).toEqual([0, `No table was booked: ${said}.\n`]);
  });

  it('is cancelled when the answer does not fit', async () => {
    const { status, stderr } = await book('--answer', '{"name":"Ada","day":"31 January","guests":99}');
    expect(status).toBe(1);
    expect(stderr).toMatch(/does not fit what sample asks: day: .*\n.*guests: /);
  });

  it('is declined when nobody can be asked, and that is said', async () => {
    const { status, stdout, stderr } = await book();
    expect(status).toBe(1);
    expect(stdout).toContain('the person declined');
    expect(stderr).toMatch(/Declined: sample asks: When shall we expect you\?.*--answer/);
  });

  it('for a page prints the address instead of opening it', async () => {
    const { status, stdout, stderr } = await parley(
      ...['call', 'sample', 'visit-page', '{"waitSeconds":0}', '--answer', '{}'],
    );
    expect(status).toBe(0);
    expect(stderr).toMatch(/Open this page in your browser: http:\/\/127\.0\.0\.1:\d+\/\S+/);
    expect(stdout).toContain('agreed to open the page');
  });
});

describe('without a terminal to ask on', () => {
  it('a tool call is declined, and that is said', async () => {
    const { status, stdout, stderr } = await parley('ask', '--model', 'guide', 'add 19 and 23');
    expect(status).toBe(1);
    expect(stdout).not.toContain('42');
    expect(stderr).toMatch(/Declined: sample was to run add.*--approve all/);
  });

  it('--approve none declines silently, and nothing worked', async () => {
    const { status, stdout, stderr } = await parley(
      'ask',
      '--model',
      'guide',
      '--approve',
      'none',
      'add 19 and 23',
    );
    expect(status).toBe(1);
    expect(stdout).not.toContain('42');
    expect(stderr).not.toContain('Declined');
  });
});

describe('chat', () => {
  it('answers each line of a pipe in turn and ends with it', async () => {
    const lines = 'add 19 and 23\n\n/sample add {"a": 4, "b": 5}\n';
    const { status, stdout } = await parleyWith(
      { input: lines },
      'chat',
      '--model',
      'guide',
      '--approve',
      'all',
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/42[\s\S]*4 \+ 5 = 9/);
  });

  it('has an answer written again, goes on with one, and asks differently', async () => {
    const endpoint = await startMessagesEndpoint();
    onTestFinished(() => endpoint.close());
    endpoint.script.push(
      { blocks: [text('First')], stopReason: 'max_tokens' },
      { blocks: [text('and on.')] },
      { blocks: [text('Second.')] },
      { blocks: [text('Other.')] },
    );
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: endpoint.url };
    const input = '/retry\none\n/continue\n/retry\n/edit two\n/continue\n';
    const { stdout, stderr } = await parleyWith({ input, env }, 'chat');
    expect(stdout).toMatch(/First[\s\S]*and on\.[\s\S]*Second\.[\s\S]*Other\./);
    expect(stderr).toMatch(/Nothing has been said here yet[\s\S]*There is nothing to go on with/);
    const sent = endpoint.requests.map(({ body }) => body.messages);
    expect(sent.map(messages => messages.length)).toEqual([1, 3, 1, 1]);
    expect(sent[2]).toEqual(sent[0]);
    expect(JSON.stringify(sent[3])).toContain('two');
  });

  it('ends with /exit and keeps the conversation', async () => {
    const { status, result } = await parleyWith(
      { input: 'add 1 and 2\n/exit\nadd 3 and 4\n' },
      ...['chat', '--json', '--model', 'guide', '--approve', 'all'],
    );
    expect([status, result.worked]).toEqual([0, true]);
    const { stdout } = await parleyWith({ input: '' }, 'chat', '--json', '--model', 'guide');
    expect(stdout).toContain('"conversationId"');
  });
});

describe('tells what is wrong, and what to do', () => {
  it.each<[string, string[], number, RegExp]>([
    ['an unknown server', ['call', 'nobody', 'add'], 1, /no server “nobody”[\s\S]*sample/],
    ['an unknown tool', ['call', 'sample', 'substract'], 1, /no tool “substract”[\s\S]*add/],
    ['arguments that are no JSON', ['call', 'sample', 'add', 'a=1'], 1, /no JSON object[\s\S]*parley call/],
    ['arguments that do not fit', ['call', 'sample', 'add', '{"a":1}'], 1, /\bb\b/],
    [
      'a file that is not there',
      ['tools', '--config', 'no-such.json'],
      1,
      /There is no file .*no-such\.json/,
    ],
    ['an answer that is none', ['call', 'sample', 'book-table', '--answer', 'yes'], 1, /--answer is neither/],
    [
      'a model without a key',
      ['ask', '--model', 'claude-opus-5-5', 'hello'],
      1,
      /no API key[\s\S]*ANTHROPIC_API_KEY/,
    ],
    ['an empty question', ['ask', ' '], 1, /nothing to ask/],
    ['an unknown command', ['serve'], 2, /unknown command[\s\S]*--help/],
    ['an unknown option', ['tools', '--jsno'], 2, /--json/],
    ['a choice that is none', ['tools', '--approve', 'some'], 2, /ask, all, none/],
  ])('%s', async (_what, args, expectedStatus, message) => {
    const { status, stderr } = await parley(...args);
    expect(stderr).toMatch(message);
    expect(status).toBe(expectedStatus);
  });

  it('a servers file that is broken, with the place', async () => {
    const config = join(home(), 'servers.json');
    writeFileSync(config, '{\n  "mcpServers": {\n    "a": {"command": }\n  }\n}');
    const { status, stderr, result } = await parley('tools', '--json', '--config', config);
    expect(status).toBe(1);
    expect(stderr).toMatch(/line 3/i);
    expect(result.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  });

  it('its version and how it is used', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await parley('--version')).toMatchObject({ status: 0, stdout: `${version}\n` });
    const { status, stdout } = await parley('call', '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/--answer <answer>/);
    expect((await parley('--help')).stdout).toMatch(
      /ANTHROPIC_API_KEY[\s\S]*keeps encrypted cannot be read here/,
    );
  });
});

describe('stopped by a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the call, the servers and the program', async (signal, expected) => {
    const running = start({}, ['call', 'sample', 'count-slowly', '{"steps":1000,"stepMs":20}', '--json']);
    await running.until(/"progress":\{"progress":3/);
    running.child.kill(signal);
    expect((await running.ended).status).toBe(expected);
    expect(processesOfThisTest()).toEqual([]);
  });
});

it('ends quietly when nobody reads its output any more', async () => {
  const running = start({}, ['tools', '--json']);
  running.child.stdout?.destroy();
  const { status, stderr } = await running.ended;
  expect([status, stderr]).toEqual([141, '']);
});

describe.runIf(hasTerminal)('on a terminal', () => {
  it('asks before a tool runs', async () => {
    const running = start({ pty: true }, ['ask', '--model', 'guide', 'add 19 and 23']);
    await running.until(/May this tool run\?[\s\S]*sample · add[\s\S]*"a": 19[\s\S]*stop: /);
    await running.typeUntil('y', /42/);
    const { status, stdout } = await running.ended;
    expect(stdout).toContain('42');
    expect(status).toBe(0);
  });

  it('always allows what was always allowed', async () => {
    const running = start({ pty: true }, ['ask', '--model', 'guide', 'add 19 and 23']);
    await running.until(/stop: /);
    await running.typeUntil('a', /42/);
    expect((await running.ended).status).toBe(0);
    const { status, stdout } = await parley('ask', '--model', 'guide', 'add 20 and 23');
    expect([status, stdout]).toEqual([0, expect.stringContaining('43')]);
  });

  it('chats, and Ctrl-C first stops the answer, then ends', async () => {
    const running = start({ pty: true }, ['chat', '--model', 'guide', '--approve', 'all']);
    await running.until(/> $/);
    running.child.stdin?.write('/sample count-slowly {"steps": 1000, "stepMs": 20}\r');
    await running.until(/3 of 1000/);
    running.child.stdin?.write('\u0003');
    await running.until(/stopped[\s\S]*> /i);
    running.child.stdin?.write('add 19 and 23\r');
    await running.until(/42[\s\S]*> /);
    running.child.stdin?.write('\u0003');
    expect((await running.ended).status).toBe(130);
  });
});

it('--usage tells what an answer took and cost, in words and for programs', async () => {
  const endpoint = await startMessagesEndpoint();
  onTestFinished(() => endpoint.close());
  endpoint.script.push({ blocks: [text('Hello.')] }, { blocks: [text('Hello again.')] });
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: endpoint.url };
  const told = await parleyWith({ env }, 'ask', '--usage', 'hello');
  expect(told).toMatchObject({ status: 0, stdout: 'Hello.\n' });
  expect(told.stderr).toMatch(/^[\d,]+ tokens in \(0 % from the cache\), \d+ out, \$0\.\d{2,4}\n$/);
  const { result } = await parleyWith({ env }, 'ask', '--json', 'hello');
  expect(result).toMatchObject({ usage: { answers: 1, unpriced: 0, usage: { output: expect.any(Number) } } });
});
