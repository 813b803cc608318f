// @ts-check
// One sample of one contender, in a process of its own. Arguments: the contender's module, the work, its servers as
// JSON. Prints one JSON line.
/** @type {[string, string, string]} */
const [module, work, json] = /** @type {any} */ (process.argv.slice(2));
/** @type {import('./contenders/contender.ts').Contender} */
const contender = (await import(module)).contender;
/** @type {import('./contenders/contender.ts').Servers} */
const servers = JSON.parse(json);
const [first = ''] = Object.keys(servers);

/** @type {Record<string, (connected: import('./contenders/contender.ts').Connected) => Promise<object>>} */
const works = {
  async connect() {
    const heap = await settledMegabytes();
    return { heap, megabytes: process.memoryUsage().rss / 2 ** 20 };
  },
  async calls(connected) {
    const one = () => connected.call(first, 'tool-0', { text: 'hello', times: 1 });
    if ((await one()) !== 'hello') throw new Error('The answer is not the text.');
    // A host runs all day: what counts is how it is once everything is compiled.
    await times(2000, one, 1);
    const sequential = 2000 / (await times(2000, one, 1));
    await times(2000, one, 64);
    const concurrent = 4000 / (await times(4000, one, 64));
    return { sequential: sequential * 1000, concurrent: concurrent * 1000 };
  },
  async growth(connected) {
    const one = () => connected.call(first, 'tool-0', { text: 'hello', times: 1 });
    await times(2000, one, 16);
    const before = await settledMegabytes();
    await times(10_000, one, 16);
    return { before, after: await settledMegabytes() };
  },
};

const began = performance.now();
const connected = await contender.connect(servers);
const listedMs = performance.now() - began;
const result = await works[work]?.(connected);
console.log(JSON.stringify({ listedMs, tools: connected.tools, ...result }));
await connected.close();
process.exit();

/**
 * Milliseconds for so many calls, so many of them at once.
 * @param {number} count
 * @param {() => Promise<unknown>} one
 * @param {number} atOnce
 */
async function times(count, one, atOnce) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await one();
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  return performance.now() - start;
}

/** Heap and buffers in use once garbage is gone. */
async function settledMegabytes() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await new Promise(resolve => setImmediate(resolve));
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return (heapUsed + external + arrayBuffers) / 2 ** 20;
}
