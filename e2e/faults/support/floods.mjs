// What the misbehaving server floods its client with. Everything is written as fast as it is read.

/**
 * @param {{ line(message: object): string, answer(id: unknown, value?: object): void, complete(value: object): object,
 *   ends: { journal(text: string): void } }} tools
 * @returns {Record<string, { start?(): void, list?(id: unknown, params: any): unknown, call?(id: unknown, params: any): unknown,
 *   response?(message: any): void, deaf?: boolean, who?: object }>}
 */
export function floods({ line, answer, complete, ends }) {
  /** @param {string | Uint8Array} bytes @param {NodeJS.WriteStream} [stream] @returns {Promise<void>} */
  const write = (bytes, stream = process.stdout) => new Promise(done => stream.write(bytes, () => done()));
  /** Writes the text so often. @param {string} text @param {number} times @param {NodeJS.WriteStream} [stream] */
  const pour = async (text, times, stream) => {
    const atOnce = Math.max(1, Math.floor(65_536 / text.length));
    for (let done = 0; done < times; done += atOnce)
      await write(text.repeat(Math.min(atOnce, times - done)), stream);
  };
  /** @param {string} method @param {object} [params] */
  const news = (method, params) => line({ jsonrpc: '2.0', method: `notifications/${method}`, params });
  /** One megabyte of the letter. */
  const MEGABYTE = 'x'.repeat(1 << 20);
  /** An answer of so many megabytes. @param {unknown} id @param {number} size @param {boolean} isIdLast */
  const answerOf = async (id, size, isIdLast) => {
    const [before, after] = JSON.stringify(complete({ content: [{ type: 'text', text: '@' }] })).split('@');
    const [first, last] = isIdLast
      ? ['{"result":', `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`]
      : [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, '}\n'];
    await write(`${first}${before}`);
    await pour(MEGABYTE, size);
    await write(`${after}${last}`);
  };
  const question = {
    message: 'Well?',
    requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
  };
  /** @param {number} count @param {(nth: number) => object} params */
  const ask = async (count, params) => {
    for (let nth = 0; nth < count; nth++)
      await write(line({ jsonrpc: '2.0', id: `q${nth}`, method: 'elicitation/create', params: params(nth) }));
  };

  return {
    garbageWithoutEnd: {
      start: () =>
        void (async () => {
          for (;;) await pour('INFO nothing of interest\n', 10_000);
        })(),
    },
    lineWithoutEnd: {
      call: () =>
        void (async () => {
          for (;;) await write(MEGABYTE);
        })(),
    },
    stderrWithoutEnd: {
      start: () =>
        void (async () => {
          await pour(MEGABYTE, 100, process.stderr);
          for (;;) await pour('tick\n', 10_000, process.stderr);
        })(),
    },
    hugeAnswer: { call: id => answerOf(id, 200, false) },
    hugeAnswerIdLast: { call: id => answerOf(id, 100, true) },
    largeAnswer: { call: id => answerOf(id, 60, true) },
    deepAnswer: {
      call: id =>
        write(`{"jsonrpc":"2.0","id":${id},"result":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}\n`),
    },
    manyValues: {
      call: id => write(`{"result":{"a":[${'{},'.repeat(2_000_000)}{}]},"jsonrpc":"2.0","id":${id}}\n`),
    },
    millionLogs: {
      call: async id => {
        await pour(news('message', { level: 'error', data: 'again' }), 1_000_000);
        answer(id);
      },
    },
    millionProgress: {
      call: async (id, { _meta }) => {
        const { progressToken } = _meta;
        const some = Array.from({ length: 1000 }, (_, nth) =>
          news('progress', { progressToken, progress: nth }),
        );
        await pour(some.join(''), 1000);
        answer(id);
      },
    },
    millionChanges: {
      list: id => {
        ends.journal('list');
        answer(id, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
      },
      call: async id => {
        await pour(news('tools/list_changed'), 100_000);
        answer(id);
      },
    },
    strayAnswers: {
      call: async id => {
        await pour(line({ jsonrpc: '2.0', id: 424_242, result: complete({}) }), 100_000);
        answer(id);
      },
    },
    pingsWithoutReading: {
      deaf: true,
      call: async id => {
        await pour(line({ jsonrpc: '2.0', id: 1, method: 'ping' }), 50_000);
        answer(id);
      },
    },
    manyQuestions: {
      call: async (id, { name }) => {
        if (name === 'echo') await ask(200, () => question);
        else answer(id);
      },
      response: message => ends.journal(message.error ? 'refused' : 'answered'),
    },
    endlessForms: {
      call: async id => {
        /** @type {Record<string, object>} */
        const properties = {};
        for (let nth = 0; nth < 5000; nth++) properties[`field${nth}`] = { type: 'string' };
        const forms = [
          { ...question, requestedSchema: { type: 'object', properties } },
          { ...question, message: MEGABYTE },
          { mode: 'url', elicitationId: 'e', message: 'Go', url: `https://example.com/${MEGABYTE}` },
        ];
        await ask(forms.length, nth => /** @type {object} */ (forms[nth]));
        answer(id);
      },
      response: message => ends.journal(message.error ? 'refused' : 'answered'),
    },
    hundredThousandTools: {
      list: async id => {
        const tools = Array.from({ length: 100_000 }, (_, nth) => ({
          name: `tool${nth}`,
          inputSchema: { type: 'object' },
        }));
        await write(
          line({
            jsonrpc: '2.0',
            id,
            result: complete({ tools: [{ ...tools[0], name: 'echo' }, ...tools] }),
          }),
        );
      },
    },
    hugeWords: {
      who: {
        instructions: MEGABYTE.repeat(3),
        serverInfo: { name: MEGABYTE, version: MEGABYTE, title: MEGABYTE },
      },
      list: id => {
        const inputSchema = { type: 'object' };
        const icons = [{ src: `data:image/png;base64,${'A'.repeat(100_000)}`, mimeType: 'image/png' }];
        answer(id, {
          tools: [
            { name: 'echo', title: 'x'.repeat(5000), description: 'x'.repeat(100_000), icons, inputSchema },
            { name: 'n'.repeat(5000), inputSchema },
            { name: 'large', description: MEGABYTE, inputSchema },
            ...Array.from({ length: 500 }, () => ({ noName: true })),
          ],
        });
      },
    },
  };
}
