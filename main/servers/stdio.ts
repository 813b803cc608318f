import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import { MAX_MESSAGE_BYTES, TOO_LONG } from './bodies.ts';
import type { Launch } from './command.ts';
import { LineSplitter } from './lines.ts';
import { signalGroup } from './processGroup.ts';
import type { Reaper } from './reaper.ts';
import { parseLine } from './rpc.ts';
import { answerInPlace } from './unreadable.ts';
import type { WireTap } from './wireTap.ts';

const MAX_LOG_LINE_BYTES = 64 * 1024;
/** As much as a pipe gives at once; whoever fills it so has more to say. */
const FULL_READ_BYTES = 16 * 1024;
/** What may wait for a server that does not read: else our answers to its own requests would fill the memory. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
const MAX_UNREAD = 4000;
const STDIN_GRACE_MS = 3000;
const TERM_GRACE_MS = 2500;
/** Pipes that a grandchild holds open delay the news of an exit until they gave nothing for so long, and at most for the limit. */
const PIPE_GRACE_MS = 200;
const PIPE_LIMIT_MS = 5000;
/** How long after a broken pipe the news of the exit may take. */
const EXIT_NEWS_MS = 1000;

/** How a server's process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StdioEvents {
  /** A line of stderr. */
  onStderr(line: string): void;
  /** Text on stdout that is not protocol. */
  onNoise(line: string): void;
  /** A message was not read. */
  onUnreadable(why: string): void;
}

/**
 * One local server as a child process in a process group of its own. Text on stdout that is not JSON-RPC is handed to
 * `onNoise` and otherwise ignored; closing ends stdin, then asks, then kills the whole group.
 * @see the stdio section of the specification's transports page
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  /** How the process ended, once it has, and not because it was told to. */
  exit: Exit | undefined;
  /** Answers to the era probe; one that comes after the probe's time limit tells that the limit misjudged. */
  readonly probeReplies: JSONRPCMessage[] = [];
  /** With `pid` it tells the SDK that this is a stdio transport. */
  readonly stderr = null;

  readonly #launch: Launch;
  readonly #reaper: Reaper;
  readonly #events: StdioEvents;
  readonly #tap: WireTap;
  /** What was going on when each request was sent, so that its answer is handled as a part of the same. */
  readonly #contexts = new Map<string | number, Run>();
  /** A notification has come at this very moment. */
  #isNewsFresh = false;
  /** How many messages wait to be read by the server. */
  #unread = 0;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exited: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(launch: Launch, reaper: Reaper, events: StdioEvents, tap: WireTap) {
    this.#launch = launch;
    this.#reaper = reaper;
    this.#events = events;
    this.#tap = tap;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    if (this.#closing) return Promise.reject(new Error('The transport is closed.'));
    const { command, args, env, cwd } = this.#launch;
    const child = spawn(command, args, {
      env,
      cwd,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    }) as ChildProcessWithoutNullStreams;
    this.#child = child;
    if (child.pid !== undefined) this.#reaper.watch(child.pid);
    this.#read(child);
    this.#exited = new Promise(resolve => {
      // `close`, not `exit`: what the server wrote last is still read.
      child.once('close', () => resolve());
      child.once('exit', () => void silence([child.stdout, child.stderr]).then(resolve));
      child.once('error', () => resolve());
    });
    child.once('exit', (code, signal) => {
      if (!this.#closing) this.exit = { code, signal };
    });
    void this.#exited.then(() => this.#ended(child.pid));
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('The server is not running.'));
    if (stdin.writableLength > MAX_UNREAD_BYTES || this.#unread >= MAX_UNREAD)
      return Promise.reject(new Error('The server does not read what it is sent.'));
    if ('method' in message && 'id' in message) this.#contexts.set(message.id, AsyncLocalStorage.snapshot());
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#contexts.delete(message.params?.requestId as string | number);
    const text = JSON.stringify(message);
    this.#tap.sent(text, message);
    this.#gatherWrites(stdin);
    this.#unread++;
    return new Promise((resolve, reject) => {
      stdin.write(`${text}\n`, error => {
        this.#unread--;
        if (!error) return resolve();
        // A broken pipe is how a server's end shows first; how it ended is worth the wait.
        void this.#endsWithin(EXIT_NEWS_MS).then(() => reject(error));
      });
    });
  }

  /** What is sent at the same moment goes through the pipe at once: a system call is dearer than a message. */
  #gatherWrites(stdin: Writable): void {
    if (stdin.writableCorked > 0) return;
    stdin.cork();
    process.nextTick(() => stdin.uncork());
  }

  /** Resolves when the process and everything in its group has ended; takes less than ten seconds. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin.end();
    if (!(await this.#endsWithin(STDIN_GRACE_MS))) {
      signalGroup(child.pid, 'SIGTERM');
      if (!(await this.#endsWithin(TERM_GRACE_MS))) signalGroup(child.pid, 'SIGKILL');
    }
    await this.#exited;
  }

  /** The leader has ended, by itself or by us: helpers that it left behind in its group end too. */
  #ended(pid: number | undefined): void {
    if (pid !== undefined) {
      if (process.platform !== 'win32') signalGroup(pid, 'SIGKILL');
      this.#reaper.forget(pid);
    }
    this.onclose?.();
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>(resolve => {
      timer = setTimeout(resolve, ms, false);
    });
    const ended = await Promise.race([this.#exited.then(() => true), late]);
    clearTimeout(timer);
    return ended;
  }

  #read(child: ChildProcessWithoutNullStreams): void {
    readFairly(
      child.stdout,
      new LineSplitter((line, cutTail) => this.#onLine(line, cutTail), MAX_MESSAGE_BYTES),
    );
    readFairly(child.stderr, new LineSplitter(line => this.#events.onStderr(line), MAX_LOG_LINE_BYTES));
    // A server that has gone makes writes fail; `close` tells the story.
    child.stdin.on('error', () => undefined);
  }

  #onLine(line: string, cutTail: string | undefined): void {
    if (line.trim() === '') return;
    if (cutTail !== undefined) {
      const answer = answerInPlace({ head: line, tail: cutTail }, TOO_LONG);
      this.#events.onUnreadable(`${TOO_LONG}, and begins with ${line.slice(0, 200)}`);
      if (answer) this.#deliver(answer);
      return;
    }
    const { messages, json, noise = '', unreadable } = parseLine(line);
    if (noise !== '') this.#events.onNoise(noise);
    if (unreadable !== undefined) this.#events.onUnreadable(unreadable);
    if (json !== undefined) this.#tap.received(line.slice(noise.length), json, noise !== '');
    for (const message of messages) this.#deliver(message);
  }

  #deliver(message: JSONRPCMessage): void {
    const id = 'method' in message ? undefined : message.id;
    if (id === undefined) {
      if (!this.#isNewsFresh)
        setImmediate(() => {
          this.#isNewsFresh = false;
        });
      this.#isNewsFresh = true;
      this.onmessage?.(message);
      return;
    }
    if (String(id).startsWith('server-discover-probe-')) this.probeReplies.push(message);
    const run = this.#contexts.get(id);
    this.#contexts.delete(id);
    const deliver = () => (run ? run(() => this.onmessage?.(message)) : this.onmessage?.(message));
    // With a response the SDK forgets the request's progress, also that which came just before and is not handled yet.
    if (this.#isNewsFresh) setImmediate(deliver);
    else deliver();
  }
}

/** One read at a turn of the event loop, so that a flood of one server does not keep the others waiting. */
function readFairly(stream: Readable, lines: LineSplitter): void {
  stream.on('end', () => lines.end());
  stream.on('data', (chunk: Buffer) => {
    lines.push(chunk);
    if (chunk.length < FULL_READ_BYTES) return;
    stream.pause();
    setImmediate(() => stream.resume());
  });
}

/** Resolves when the streams have given nothing for a while: what a server wrote before its end may still be on the way. */
async function silence(streams: Readable[]): Promise<void> {
  let isSilent = false;
  const heard = () => {
    isSilent = false;
  };
  for (const stream of streams) stream.on('data', heard);
  for (let waited = 0; !isSilent && waited < PIPE_LIMIT_MS; waited += PIPE_GRACE_MS) {
    isSilent = true;
    await new Promise(resolve => setTimeout(resolve, PIPE_GRACE_MS));
    // A busy host may come to its timers late: what has arrived by now counts.
    await new Promise(resolve => setImmediate(resolve));
  }
  for (const stream of streams) stream.off('data', heard);
}

type Run = ReturnType<typeof AsyncLocalStorage.snapshot>;
