// A stdio MCP server that has one fault, named by the first argument; the second is its era, the third a file to which
// it adds a line for every `tools/call` that arrives, so that a test can tell whether one was sent twice, and `start`
// for every start. The fourth is for the fault `given`.
import { appendFileSync, readFileSync } from 'node:fs';
import readline from 'node:readline';
import { floods } from './floods.mjs';

const [fault = '', era = 'legacy', journal = '', given = ''] = process.argv.slice(2);
const isModern = era === 'modern';
const OK = { content: [{ type: 'text', text: 'ok' }] };

/** @param {string} text */
const write = text => process.stdout.write(text);
/** @param {object} message */
const line = message => `${JSON.stringify(message)}\n`;
/** @param {object} value */
const complete = value =>
  isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...value } : value;
/** @param {unknown} id @param {object} value */
const answerLine = (id, value = OK) => line({ jsonrpc: '2.0', id, result: complete(value) });
/** @param {unknown} id @param {object} [value] */
const answer = (id, value) => write(answerLine(id, value));
/** @param {number} code @param {string} words */
const die = (code, words) => {
  console.error(words);
  process.exit(code);
};
const starts = () =>
  readFileSync(journal, 'utf8')
    .split('\n')
    .filter(entry => entry === 'start').length;

/**
 * What each faulty server does instead of the ordinary: when it starts, when it is asked to list its tools, when a tool
 * is called. `initialized` is when the ordinary list has been answered.
 * @type {Record<string, { start?(): void, handshake?(id: unknown): void, list?(id: unknown, params: any): void,
 *   listed?(): void, call?(id: unknown, params: any): unknown, response?(message: any): void, who?: object, deaf?: boolean }>}
 */
const faults = {
  ...floods({ line, answer, complete, ends: { journal: text => appendFileSync(journal, `${text}\n`) } }),
  none: {},
  // The bytes of the answers in base64, one for each call, with $id for the id.
  given: {
    call: id => {
      const next = Buffer.from(answers.shift() ?? '', 'base64');
      const bytes = next.toString('latin1').replaceAll('$id', JSON.stringify(id));
      process.stdout.write(Buffer.from(`${bytes}\n`, 'latin1'));
    },
  },
  // The first call is answered together with the second one.
  lateAnswer: {
    call: id => {
      if (firstCall === undefined) {
        firstCall = id;
        return;
      }
      answer(firstCall, { content: [{ type: 'text', text: 'too late' }] });
      answer(id);
    },
  },
  deathAtStart: { start: () => die(3, 'Missing API_KEY') },
  deathAtHandshake: { handshake: () => die(4, 'licence expired') },
  hangAtHandshake: { handshake: () => console.error('waiting for a lock') },
  deathMidCall: { call: () => die(5, 'out of cheese') },
  crashLoop: { listed: () => setImmediate(() => die(6, `crash number ${starts()}`)) },
  hangMidCall: { call: () => undefined },
  answersTwice: {
    call: id => {
      answer(id, { content: [{ type: 'text', text: 'first' }] });
      answer(id, { content: [{ type: 'text', text: 'second' }] });
    },
  },
  unknownId: {
    call: id => {
      answer(987_654);
      answer('nobody');
      answer(id);
    },
  },
  wrongVersion: {
    call: id => {
      write(line({ jsonrpc: '1.0', id, result: complete({ content: [{ type: 'text', text: 'old' }] }) }));
      write(line({ id, result: complete({ content: [{ type: 'text', text: 'none' }] }) }));
      answer(id);
    },
  },
  textId: { call: id => answer(String(id)) },
  garbage: {
    call: id => {
      write('\u0000\u0001\u001b[31m{{{\n}{\n[1,2\n"text"\n{"jsonrpc":"2.0"}\n{"jsonrpc":"2.0","id":null}\n');
      process.stdout.write(Buffer.from([0xff, 0xfe, 0x80, 0x0a]));
      answer(id);
    },
  },
  partialLine: {
    call: id => process.stdout.write(answerLine(id).slice(0, 30), () => die(7, 'cut')),
  },
  unendedLine: {
    // The last answer without a line end: it is whole, and so it counts.
    call: id => process.stdout.write(answerLine(id).trimEnd(), () => die(0, 'done')),
  },
};

/** @type {unknown} */
let firstCall;
const answers = given.split(',');
const TOOLS = [{ name: 'echo', inputSchema: { type: 'object' } }];

/** @type {Record<string, (id: unknown, params: any) => unknown>} */
const methods = {
  [isModern ? 'server/discover' : 'initialize']: (id, params) => {
    const who = {
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'faulty', version: '0' },
      ...own.who,
    };
    if (own.handshake) return own.handshake(id);
    return answer(
      id,
      isModern
        ? { supportedVersions: ['2026-07-28'], ...who }
        : { protocolVersion: params.protocolVersion, ...who },
    );
  },
  'tools/list': (id, params) => {
    if (own.list) return own.list(id, params);
    answer(id, { tools: TOOLS });
    own.listed?.();
  },
  'tools/call': (id, params) => {
    if (journal) appendFileSync(journal, `${params.name}\n`);
    if (own.deaf) input.pause();
    return own.call ? own.call(id, params) : answer(id);
  },
};

const own = faults[fault] ?? die(64, `There is no fault called ${fault}`);
if (journal) appendFileSync(journal, 'start\n');
own.start?.();
const input = readline.createInterface({ input: process.stdin });
input.on('close', () => process.exit(0));
input.on('line', text => {
  const message = JSON.parse(text);
  const { id, method, params } = message;
  if (id === undefined) return;
  if (method === undefined) return own.response?.(message);
  const handle = methods[method];
  if (handle) handle(id, params);
  else write(line({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }));
});
