import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { execFile } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import type { Launch } from './command.ts';
import { LineSplitter } from './lines.ts';
import { normalizeMessages } from './normalize.ts';
import type { Reaper } from './reaper.ts';

/** Longer lines are cut, and then no valid message any more. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const STDIN_GRACE_MS = 3000;
const TERM_GRACE_MS = 2500;

/** How a server's process ended. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StdioEvents {
  /** A line of stderr. */
  onStderr(line: string): void;
  /** A line on stdout that is not protocol. */
  onNoise(line: string): void;
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
  /** How the process ended, once it has. */
  exit: Exit | undefined;
  /** With `pid` it tells the SDK that this is a stdio transport. */
  readonly stderr = null;

  readonly #launch: Launch;
  readonly #reaper: Reaper;
  readonly #events: StdioEvents;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exited: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(launch: Launch, reaper: Reaper, events: StdioEvents) {
    this.#launch = launch;
    this.#reaper = reaper;
    this.#events = events;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#launch;
    const child = spawn(command, args, {
      env,
      cwd,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    }) as ChildProcessWithoutNullStreams;
    this.#child = child;
    this.#read(child);
    this.#exited = new Promise(resolve => {
      // `close`, not `exit`: what the server wrote last is still read. A grandchild that keeps the pipes open is
      // not waited for longer than a moment.
      child.once('close', () => resolve());
      child.once('exit', () => setTimeout(resolve, 200));
      child.once('error', () => resolve());
    });
    child.once('exit', (code, signal) => {
      this.exit = { code, signal };
    });
    void this.#exited.then(() => {
      if (child.pid !== undefined) this.#reaper.forget(child.pid);
      this.onclose?.();
    });
    return new Promise((resolve, reject) => {
      child.once('spawn', () => {
        if (child.pid !== undefined) this.#reaper.watch(child.pid);
        resolve();
      });
      child.once('error', reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error('The server is not running.'));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, error => (error ? reject(error) : resolve()));
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (!child?.pid) return;
    child.stdin.end();
    if (!(await this.#endsWithin(STDIN_GRACE_MS))) {
      signalGroup(child.pid, 'SIGTERM');
      if (!(await this.#endsWithin(TERM_GRACE_MS))) signalGroup(child.pid, 'SIGKILL');
    }
    await this.#exited;
    // Helpers that the server left behind in its group.
    if (process.platform !== 'win32') signalGroup(child.pid, 'SIGKILL');
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
    const stdout = new LineSplitter(line => this.#onLine(line), MAX_LINE_BYTES);
    const stderr = new LineSplitter(line => this.#events.onStderr(line), 64 * 1024);
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk)).on('end', () => stdout.end());
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk)).on('end', () => stderr.end());
    // A server that has gone makes writes fail; `close` tells the story.
    child.stdin.on('error', () => undefined);
  }

  #onLine(line: string): void {
    if (line.trim() === '') return;
    const messages = parse(line);
    if (messages.length === 0) this.#events.onNoise(line);
    for (const message of messages) this.onmessage?.(message);
  }
}

/** The JSON-RPC messages of a line; none when it is something else. A log text glued before a message is skipped. */
function parse(line: string): JSONRPCMessage[] {
  const start = line.startsWith('{') || line.startsWith('[') ? 0 : line.indexOf('{"jsonrpc"');
  if (start === -1) return [];
  let json: unknown;
  try {
    json = JSON.parse(line.slice(start));
  } catch {
    return [];
  }
  return normalizeMessages(json).filter(isMessage);
}

/** Whether it is JSON-RPC at all; what a method makes of it is the SDK's to check. */
function isMessage(candidate: unknown): candidate is JSONRPCMessage {
  const message = candidate as Record<string, unknown>;
  if (message.jsonrpc !== '2.0') return false;
  return (
    typeof message.method === 'string' ||
    (message.id !== undefined && ('result' in message || 'error' in message))
  );
}

/** Ends a server with everything it started. A group that is already gone is what we want. */
function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    execFile(
      'taskkill',
      ['/pid', String(pid), '/T', ...(signal === 'SIGKILL' ? ['/F'] : [])],
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
