import { describe, expect, it } from 'vitest';
import { type ModelContent, toModelContent } from '../../main/tools/result.ts';
import { startWithNeighbour, stdioFault } from './support/bench.ts';
import { startFaultyHttp } from './support/faultyHttp.ts';

const WAYS = ['stdio', 'HTTP', 'a stream'] as const;
const OK = [{ type: 'text', text: 'ok' }];
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A server that answers its calls with these, one after the other; `$id` in them is the id. */
async function startGiving(way: (typeof WAYS)[number], answers: (string | Buffer)[]) {
  const start = async (entry: object) => {
    const bench = await startWithNeighbour({ ...entry, timeoutMs: 5000 });
    await bench.isReady();
    return bench;
  };
  const all = answers.map(one => Buffer.from(one as string));
  if (way === 'stdio') {
    const given = all.map(bytes => bytes.toString('base64')).join();
    return start((await stdioFault('given', 'legacy', given)).entry);
  }
  const { url } = await startFaultyHttp('legacy', {
    'tools/call': ({ response, id, nth }) => {
      const text = all[nth - 1]?.toString('latin1') ?? '';
      const body = Buffer.from(text.replaceAll('$id', JSON.stringify(id)), 'latin1');
      const isStream = way === 'a stream';
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      response.end(isStream ? Buffer.concat([Buffer.from('data: '), body, Buffer.from('\n\n')]) : body);
    },
  });
  return start({ url });
}

const answer = (rest: string) => `{"jsonrpc":"2.0","id":$id,${rest}}`;
const withContent = (content: string) => answer(`"result":{"content":${content}}`);

/** What a server sends as content, and what a model gets to read of it. */
const CONTENT: [string, string, (ModelContent | RegExp)[]][] = [
  ['text', '[{"type":"text","text":"ok"}]', [/^ok$/]],
  [
    'a picture',
    `[{"type":"image","mimeType":"image/png","data":"${PNG}"}]`,
    [{ type: 'image', mimeType: 'image/png', data: PNG }],
  ],
  [
    'a picture with a wrong type',
    `[{"type":"image","mimeType":"text/html","data":"${PNG}"}]`,
    [{ type: 'image', mimeType: 'image/png', data: PNG }],
  ],
  [
    'a picture that is broken base64',
    `[{"type":"image","mimeType":"image/png","data":"${PNG}!é"}]`,
    [{ type: 'image', mimeType: 'image/png', data: PNG }],
  ],
  [
    'a picture that is none',
    '[{"type":"image","mimeType":"image/png","data":"bm9uZQ=="}]',
    [/cannot be shown/],
  ],
  ['a picture without data', '[{"type":"image","mimeType":"image/png"}]', [/cannot be shown/]],
  ['sound', '[{"type":"audio","mimeType":"audio/wav","data":"UklGRiQ="}]', [/audio\/wav, 5 bytes/]],
  ['a file as text', '[{"type":"resource","resource":{"uri":"a:b","text":"# hi"}}]', [/a:b[\s\S]*# hi/]],
  [
    'a file as bytes',
    '[{"type":"resource","resource":{"uri":"a:b","mimeType":"text/csv","blob":"YSxi"}}]',
    [/a,b/],
  ],
  ['a file that is neither', '[{"type":"resource","resource":{"uri":"a:b"}}]', [/a:b, empty/]],
  ['a file that is none', '[{"type":"resource","resource":7}]', [/without an address, empty/]],
  [
    'a link',
    '[{"type":"resource_link","uri":"https://a.test/z.zip","name":"z","size":9}]',
    [/z\.zip, 9 bytes; not fetched/],
  ],
  [
    'a kind that nobody knows',
    '[{"type":"hologram","data":"AAAA"},{"type":"text","text":"end"}]',
    [/unknown type “hologram”/, /^end$/],
  ],
  [
    'items that are no objects',
    '[5,null,"x",["y"],{"type":"text","text":"end"}]',
    [/^5$/, /^null$/, /"x"/, /"y"/, /^end$/],
  ],
  ['text that is a number', '[{"type":"text","text":5},{"type":"text","text":"end"}]', [/^end$/]],
  ['odd hints', '[{"type":"text","text":"ok","annotations":[],"_meta":[]}]', [/^ok$/]],
  ['null where nothing is meant', '[{"type":"text","text":"ok","annotations":null,"_meta":null}]', [/^ok$/]],
  ['half a character', '[{"type":"text","text":"a\\ud800b"}]', [/^a\uFFFDb$/]],
  [
    'NUL and what steers terminals',
    '[{"type":"text","text":"a\\u0000\\u001b[2Jb"}]',
    [{ type: 'text', text: 'a\u0000\u001b[2Jb' }],
  ],
  [
    'names of prototypes',
    '[{"type":"text","text":"ok","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]',
    [/^ok$/],
  ],
];

/** Answers that are no results, and what is said of them. */
const NO_RESULTS: [string, string, RegExp][] = [
  ['a result that is text', answer('"result":"done"'), /answered with string instead of a result/],
  ['a result that is a number', answer('"result":7'), /answered with number instead of a result/],
  ['a result that is true', answer('"result":true'), /answered with boolean instead of a result/],
  ['a result that is a list', answer('"result":[1]'), /answered with a list instead of a result/],
  ['a result that is null', answer('"result":null'), /answered with null instead of a result/],
  ['a result that is wrapped', answer('"result":{"toolResult":{"content":[]}}'), /malformed/],
  ['content that is text', withContent('"done"'), /malformed/],
  ['content that is an object', withContent('{"type":"text","text":"x"}'), /malformed/],
  ['an error without a message', answer('"error":{"code":-1}'), /gave no message \(-1\)/],
  ['an error without a code', answer('"error":{"message":"only words"}'), /only words \(-32603\)/],
  [
    'an error with a code in words',
    answer('"error":{"code":"E_LOCKED","message":"it is locked"}'),
    /it is locked \(-32603\)/,
  ],
  ['an error that is text', answer('"error":"boom"'), /boom \(-32603\)/],
  ['an error that is nothing', answer('"error":{}'), /gave no message \(-32603\)/],
  ['an error whose message is an object', answer('"error":{"code":3,"message":{"a":1}}'), /\{"a":1\} \(3\)/],
  [
    'an error beside a result',
    answer('"result":{"content":[]},"error":{"code":4,"message":"no"}'),
    /no \(4\)/,
  ],
];

/** Results with something odd about them, which is no reason to lose them. */
const ODD: [string, string | Buffer, object][] = [
  ['a list as _meta', answer('"result":{"content":[],"_meta":[]}'), { content: [] }],
  ['text as _meta', answer('"result":{"content":[],"_meta":"x"}'), { content: [] }],
  [
    'null everywhere',
    answer('"result":{"content":[],"_meta":null,"structuredContent":null,"isError":null}'),
    { content: [] },
  ],
  [
    'more members than belong there',
    answer('"result":{"content":[]},"extra":1,"took":"3 ms"'),
    { content: [] },
  ],
  ['null as error', answer('"result":{"content":[]},"error":null'), { content: [] }],
  [
    'a list as structured content',
    answer('"result":{"content":[],"structuredContent":[1]}'),
    { structuredContent: [1] },
  ],
  [
    'numbers that no computer keeps exactly',
    answer('"result":{"content":[],"structuredContent":{"n":12345678901234567890,"e":1e400}}'),
    { structuredContent: { n: 12345678901234567000 } },
  ],
  [
    'the same key twice',
    answer('"result":{"content":[{"type":"text","text":"a"}],"content":[]}'),
    { content: [] },
  ],
  [
    'bytes that are no UTF-8',
    Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"text","text":"a'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('b"}]}}'),
    ]),
    { content: [{ type: 'text', text: 'a\uFFFD\uFFFDb' }] },
  ],
];

describe.each(WAYS)('a server that answers over %s', way => {
  it('with any content is understood, and the model reads what there is to read', async () => {
    const { call, neighbourIsWell } = await startGiving(
      way,
      CONTENT.map(([, content]) => withContent(content)),
    );
    for (const [what, content, read] of CONTENT) {
      const result = await call();
      expect(result.content, what).toHaveLength((JSON.parse(content) as unknown[]).length);
      const model = toModelContent(result);
      expect(model, what).toHaveLength(read.length);
      for (const [index, expected] of read.entries())
        if (expected instanceof RegExp)
          expect(model[index], what).toEqual({ type: 'text', text: expect.stringMatching(expected) });
        else expect(model[index], what).toEqual(expected);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    await neighbourIsWell();
  });

  it('with what is no result ends each call in words, and is used again', async () => {
    const given = [...NO_RESULTS.map(([, json]) => json), withContent('[{"type":"text","text":"ok"}]')];
    const { call, refusal, view, neighbourIsWell } = await startGiving(way, given);
    for (const [what, , words] of NO_RESULTS) {
      const { code, message } = await refusal(call());
      expect(code, what).toMatch(/^call\.(protocol|malformed)$/);
      expect(message, what).toMatch(words);
    }
    expect((await call()).content).toEqual(OK);
    expect(view('faulty')?.state).toBe('ready');
    await neighbourIsWell();
  });

  it('with something odd about a result keeps the result', async () => {
    const { call, neighbourIsWell } = await startGiving(
      way,
      ODD.map(([, json]) => json),
    );
    for (const [what, , expected] of ODD) expect(await call(), what).toMatchObject(expected);
    await neighbourIsWell();
  });
});

it('an answer to a call that was stopped is not taken for that of the next one', async () => {
  const { entry, calls } = await stdioFault('lateAnswer');
  const { call, refusal, isReady, neighbourIsWell } = await startWithNeighbour(entry);
  await isReady();
  const stop = new AbortController();
  const stopped = refusal(call(stop.signal));
  await expect.poll(calls).toBe(1);
  stop.abort();
  expect(await stopped).toMatchObject({ code: 'call.cancelled' });
  expect((await call()).content).toEqual(OK);
  await neighbourIsWell();
});
