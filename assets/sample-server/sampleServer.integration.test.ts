import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundle } from '../../scripts/testing/bundle.mjs';
import { serveHttp } from './http.ts';

type Answer = (params: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;

let built: Awaited<ReturnType<typeof bundle>>;
let script: string;
beforeAll(async () => {
  built = await bundle('sampleServer');
  script = join(built.dir, 'sample-server.js');
});
afterAll(() => built.remove());

/** Each connects a client and returns what else must be closed after it. */
const ways = {
  'stdio, modern': async (client: Client) => {
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [script] }));
  },
  'HTTP, modern': async (client: Client) => {
    const { url, close } = await serveHttp(0);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return close;
  },
  'stdio, legacy': async (client: Client) => {
    const transport = new StdioClientTransport({ command: process.execPath, args: [script] });
    await client.connect(transport, { prior: { kind: 'legacy' } });
  },
};

describe.each(Object.entries(ways))('over %s', (way, connectBy) => {
  const toolsChanged = counter();
  const client = new Client(
    { name: 'test', version: '0' },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: 'auto' },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: toolsChanged.count } },
    },
  );
  let answer: Answer;
  client.setRequestHandler('elicitation/create', request => answer(request.params));
  let closeServer: (() => Promise<void>) | void;
  beforeAll(async () => {
    closeServer = await connectBy(client);
  });
  afterAll(async () => {
    await client.close();
    await closeServer?.();
  });

  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args });
  const textOf = async (result: ReturnType<typeof call>) => {
    const [first] = (await result).content;
    return first?.type === 'text' ? first.text : JSON.stringify(first);
  };

  it('speaks the expected era and describes itself', async () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(way.endsWith('modern') ? '2026-07-28' : '2025-11-25');
    expect(client.getInstructions()).toContain('draw-chart');
    const { tools } = await client.listTools();
    expect(tools.map(tool => tool.name)).toEqual([
      'add',
      'describe-text',
      'time-in',
      'draw-chart',
      'count-slowly',
      'book-table',
      'plan-party',
      'visit-page',
      'toggle-extra-tool',
    ]);
    for (const tool of tools) {
      expect(tool.title).toBeTruthy();
      expect(tool.description).toBeTruthy();
      expect(tool.annotations).toBeTruthy();
    }
  });

  it('adds numbers', async () => {
    expect(await textOf(call('add', { a: 19, b: 23 }))).toBe('19 + 23 = 42');
    expect(await textOf(call('add', { a: 0.1, b: 0.2 }))).toBe('0.1 + 0.2 = 0.3');
    expect((await call('add', { a: 'many' })).isError).toBe(true);
  });

  it('describes a text in structured form', async () => {
    const result = await call('describe-text', { text: 'Grüß Gott!\nTwo lines. 👩‍👩‍👧' });
    expect(result.structuredContent).toEqual({
      words: 4,
      characters: 23,
      lines: 2,
      sentences: 3,
      longestWord: 'lines',
    });
  });

  it('knows the time, and says in words when it cannot', async () => {
    expect(await textOf(call('time-in', { zone: 'Asia/Tokyo' }))).toMatch(
      /\d{4} at \d\d:\d\d:\d\d .*\(Asia\/Tokyo\)/,
    );
    const wrong = await call('time-in', { zone: 'Moon/Base' });
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Moon/Base') }] });
  });

  it('draws a chart', async () => {
    const { content } = await call('draw-chart', { values: [3, -1, 4.5] });
    expect(content).toMatchObject([{ type: 'image', mimeType: 'image/png' }, { type: 'text' }]);
    const picture = decodePng(Buffer.from((content[0] as { data: string }).data, 'base64'));
    expect([picture.width, picture.height]).toEqual([640, 360]);
    // Background, first bar, second bar below the zero line.
    expect([picture.at(2, 2), picture.at(130, 150), picture.at(320, 290)]).toEqual([
      [255, 255, 255],
      [37, 99, 235],
      [13, 148, 136],
    ]);
  });

  it('counts to the end', async () => {
    expect(await textOf(call('count-slowly', { steps: 3, stepMs: 1 }))).toBe('Counted to 3.');
  });

  it('reports progress, and stops when it is no longer wanted', async () => {
    const stop = new AbortController();
    const heard: unknown[] = [];
    const counting = client.callTool(
      { name: 'count-slowly', arguments: { steps: 1_000, stepMs: 20 } },
      {
        signal: stop.signal,
        onprogress: progress => heard.push(progress) === 3 && stop.abort('enough'),
      },
    );
    await expect(counting).rejects.toThrow('enough');
    const expected = [1, 2, 3].map(step => ({
      progress: step,
      total: 1_000,
      message: `Counted to ${step} of 1000`,
    }));
    expect(heard).toEqual(expected);
    // A job of the same pace: the client would complain of a first one that went on beside it.
    const complaints: string[] = [];
    client.onerror = error => complaints.push(error.message);
    await call('count-slowly', { steps: 10, stepMs: 20 });
    expect(complaints.filter(complaint => complaint.includes('unknown token')).length).toBeLessThan(3);
    expect(heard).toEqual(expected);
  });

  describe('when it asks', () => {
    const full = {
      name: 'Ada',
      email: 'ada@example.com',
      day: '2027-01-31',
      time: '20:30',
      guests: 4,
      diets: ['vegan', 'gluten-free'],
      outside: true,
      budget: 42.5,
    };

    it.each<[string, ElicitResult, string]>([
      [
        'accept',
        { action: 'accept', content: full },
        'Booked for Ada: a table for 4 on 2027-01-31 at 20:30, outside.',
      ],
      ['decline', { action: 'decline' }, 'the person declined'],
      ['cancel', { action: 'cancel' }, 'the person closed the form'],
    ])('it answers %s', async (_name, response, expected) => {
      let asked: ElicitRequest['params'] | undefined;
      answer = params => {
        asked = params;
        return response;
      };
      expect(await textOf(call('book-table'))).toContain(expected);
      expect(asked).toMatchObject({
        message: 'When shall we expect you?',
        requestedSchema: {
          properties: { time: { default: '18:30' } },
          required: ['name', 'day', 'time', 'guests'],
        },
      });
    });

    it('asks again when the answer breaks the form', async () => {
      const messages: string[] = [];
      answer = params => {
        messages.push(params.message);
        return { action: 'accept', content: messages.length === 1 ? { ...full, guests: 99 } : full };
      };
      expect(await textOf(call('book-table'))).toContain('Booked for Ada');
      expect(messages).toEqual([
        'When shall we expect you?',
        expect.stringContaining('Something in the form was not right'),
      ]);
    });

    it('asks two questions in one round', async () => {
      const asked: string[] = [];
      answer = ({ message }) => {
        asked.push(message);
        return message.includes('hear')
          ? { action: 'decline' }
          : { action: 'accept', content: { dish: 'Curry' } };
      };
      expect(await textOf(call('plan-party', { occasion: 'launch' }))).toBe(
        'Plan for the launch:\n- Food: Curry\n- Music: left to you (declined)',
      );
      expect(asked).toHaveLength(2);
    });
  });

  describe('when it wants a page opened', () => {
    it('hears of the button', async () => {
      answer = async params => {
        if (!('url' in params)) throw new Error('not a URL question');
        expect(new URL(params.url).hostname).toBe('127.0.0.1');
        const page = await fetch(params.url);
        expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
        expect(await page.text()).toContain('<form method="post">');
        expect((await fetch(new URL('/other', params.url))).status).toBe(404);
        expect(await (await fetch(params.url, { method: 'POST' })).text()).toContain('Done');
        return { action: 'accept' };
      };
      expect(await textOf(call('visit-page'))).toContain('pressed the button');
    });

    it('waits for a person who comes later, and says so', async () => {
      let url = '';
      answer = params => {
        url = 'url' in params ? params.url : '';
        return { action: 'accept' };
      };
      const result = await client.callTool(
        { name: 'visit-page', arguments: {} },
        // The client itself reports the end of the round of questions, too.
        { onprogress: ({ message }) => message?.includes('button') && void fetch(url, { method: 'POST' }) },
      );
      expect(result.content).toMatchObject([{ text: expect.stringContaining('pressed the button') }]);
    });

    it.each<[ElicitResult['action'], string]>([
      ['accept', 'not opened in time'],
      ['decline', 'the person declined'],
      ['cancel', 'closed the question'],
    ])('answers %s without a visit', async (action, expected) => {
      answer = () => ({ action });
      expect(await textOf(call('visit-page', { waitSeconds: 0 }))).toContain(expected);
    });
  });

  it('changes its list of tools and says so', async () => {
    await expect(call('surprise')).rejects.toThrow('surprise');
    const changed = toolsChanged.next();
    await call('toggle-extra-tool');
    await changed;
    expect((await client.listTools()).tools.map(tool => tool.name)).toContain('surprise');
    expect(await textOf(call('surprise'))).toContain('Surprise!');

    const changedAgain = toolsChanged.next();
    await call('toggle-extra-tool');
    await changedAgain;
    expect((await client.listTools()).tools.map(tool => tool.name)).not.toContain('surprise');
  });

  it('offers things to read and to start from', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(resource => resource.uri)).toEqual([
      'sample://about',
      'sample://recipes/pancakes',
      'sample://recipes/porridge',
      'sample://recipes/salad',
    ]);
    const recipe = await client.readResource({ uri: 'sample://recipes/porridge' });
    expect(recipe.contents).toMatchObject([{ text: expect.stringContaining('oats') }]);
    await expect(client.readResource({ uri: 'sample://recipes/constructor' })).rejects.toThrow('not found');
    const prompt = await client.getPrompt({ name: 'cook', arguments: { dish: 'salad' } });
    expect(prompt.messages).toMatchObject([
      { content: { text: expect.stringContaining('salad for 2 people') } },
    ]);
  });
});

it('ends when its client goes, even while a page waits', async () => {
  const transport = new StdioClientTransport({ command: process.execPath, args: [script] });
  const client = new Client(
    { name: 'test', version: '0' },
    { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' }));
  await client.connect(transport);
  const { pid } = transport;
  await new Promise<void>((resolve, reject) => {
    const onprogress = ({ message }: { message?: string | undefined }) =>
      message?.includes('button') && resolve();
    client.callTool({ name: 'visit-page', arguments: {} }, { onprogress }).catch(reject);
  });
  const before = Date.now();
  await client.close();
  // The client would kill a server that stays for two seconds.
  expect(Date.now() - before).toBeLessThan(1_500);
  expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
});

it('started with --http, prints its address and serves there until it is ended', async () => {
  const server = spawn(process.execPath, [script, '--http', '0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'exit');
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  const [line] = await once(createInterface(server.stderr), 'line');
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(/http:\S+/.exec(line)?.[0] ?? '')));
  expect((await client.listTools()).tools.map(tool => tool.name)).toContain('add');
  await client.close();
});

it.each([
  ['--http', 'many'],
  ['--http', '70000'],
  ['--speed', '9'],
])('refuses %s %s in words', async (...args) => {
  const server = promisify(execFile)(process.execPath, [script, ...args]);
  await expect(server).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/^.+\nUsage: .+\n$/) });
});

it('serves HTTP to local pages and programs only', async () => {
  const { url, close } = await serveHttp(0);
  onTestFinished(close);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const fromElsewhere = await fetch(url, {
    method: 'POST',
    headers: { ...headers, origin: 'https://evil.test' },
    body,
  });
  expect(fromElsewhere.status).toBe(403);
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  expect((await fetch(new URL('/else', url))).status).toBe(404);
});

/** Counts events and lets one wait for the next. */
function counter() {
  let wake: (() => void) | undefined;
  return {
    count: () => wake?.(),
    next: () => new Promise<void>(resolve => (wake = resolve)),
  };
}

function decodePng(file: Buffer) {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const start = file.indexOf('IDAT') + 4;
  const rows = inflateSync(file.subarray(start, start + file.readUInt32BE(start - 8)));
  const at = (x: number, y: number) => {
    const offset = y * (width * 3 + 1) + 1 + x * 3;
    return [...rows.subarray(offset, offset + 3)];
  };
  return { width, height, at };
}
