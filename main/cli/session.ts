import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { HostError, toErrorInfo } from '../../shared/errors.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import { createHost, type Host } from '../host.ts';
import { type ApproveFlag, answerAsks } from './asking.ts';
import { defaultDataDir } from './dataDir.ts';
import { parseGivenAnswer } from './givenAnswer.ts';
import { Output } from './output.ts';
import { exact } from './plainText.ts';
import { terminalPorts } from './ports.ts';
import { Terminal } from './terminal.ts';
import { printTraffic } from './wire.ts';

/** The options that every command knows. */
export interface GlobalOptions {
  data?: string;
  config?: string;
  model?: string;
  json?: boolean;
  approve?: ApproveFlag;
  answer?: string;
  wire?: boolean;
  keep?: boolean;
  usage?: boolean;
}

/** What a command works with: a running host, its person or pipe, and when to stop. */
export interface Session {
  host: Host;
  output: Output;
  /** Begins to read stdin, which may belong to a program around us: not before it is needed. */
  openTerminal(): Terminal;
  /** Fires when the person or the system wants the command to end. */
  signal: AbortSignal;
  /** Ctrl-C asks `handler` first: true means that there was something to stop, and the command goes on. */
  onInterrupt(handler: () => boolean): void;
  /** How many questions were declined because nobody could be asked. */
  unanswered(): number;
}

/**
 * Runs a command in a host of its own and closes that host whatever happens: no server outlives the command.
 * Resolves with the exit status; errors have been told then.
 */
export async function inSession(
  options: GlobalOptions,
  work: (session: Session) => Promise<number>,
): Promise<number> {
  const output = new Output({ json: options.json ?? false });
  const interactive = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const interrupts = new Interrupts();
  let terminal: Terminal | undefined;
  const openTerminal = () => {
    if (!terminal) {
      terminal = new Terminal(process.stdin, process.stderr, { interactive });
      terminal.onInterrupt(() => interrupts.interrupt());
    }
    return terminal;
  };
  let host: Host | undefined;
  let status = 1;
  try {
    const answer = options.answer === undefined ? undefined : parseGivenAnswer(options.answer);
    host = await createHost(portsFor(options, output));
    const running = host;
    if (options.wire) printTraffic(host, output);
    host.events.on(({ name, payload }) => name !== 'server.traffic' && output.event(name, payload));
    host.events.on(event => event.name === 'problem' && output.error(event.payload));
    for (const problem of host.snapshot().problems) output.error(problem);
    const asking = answerAsks(host, {
      approve: options.approve ?? 'ask',
      answer,
      keep: options.keep ?? false,
      openTerminal: interactive ? openTerminal : undefined,
      note: text => output.note(text),
      runs: server => runsOf(running.manager.connection(server)?.config),
      mute: (server, conversationId) =>
        void running.handlers['asks.mute']({
          server,
          muted: true,
          ...(conversationId === undefined ? {} : { conversationId }),
        }),
    });
    status = await work({
      host,
      output,
      openTerminal,
      signal: interrupts.signal,
      onInterrupt: handler => interrupts.handle(handler),
      unanswered: () => asking.unanswered,
    });
  } catch (error) {
    // What a command throws when it is stopped says nothing new.
    if (!interrupts.signal.aborted) tell(error, output);
  } finally {
    terminal?.close();
    await host?.close();
    interrupts.close();
  }
  return interrupts.signal.aborted ? interrupts.status : status;
}

/** Runs a command that needs only what is kept, and no server. Resolves with the exit status as `inSession` does. */
export async function inDataDir(
  options: GlobalOptions,
  work: (dataDir: string, output: Output) => number,
): Promise<number> {
  const output = new Output({ json: options.json ?? false });
  try {
    return work(dataDirOf(options), output);
  } catch (error) {
    tell(error, output);
    return 1;
  }
}

function dataDirOf({ data }: GlobalOptions): string {
  return resolve(data ?? defaultDataDir());
}

function tell(error: unknown, output: Output): void {
  const info = toErrorInfo(error);
  output.error(info);
  // A bug shows where it is; a failed system call says enough in its message.
  if (info.code === 'internal' && !(error as NodeJS.ErrnoException).syscall) console.error(error);
  if (output.json) output.result({ error: info }, '');
}

/** What is run, word by word, or the address. Secrets are no part of either. */
function runsOf(config: ServerConfig | undefined): string {
  if (!config) return '';
  return config.type === 'http' ? config.url : [config.command, ...(config.args ?? [])].join(' ');
}

function portsFor(options: GlobalOptions, output: Output) {
  const serversFile = options.config === undefined ? undefined : resolve(options.config);
  if (serversFile !== undefined && !existsSync(serversFile)) {
    throw new HostError(
      'cli.config',
      `There is no file ${serversFile}.`,
      '--config takes a servers file: {"mcpServers": {"name": {"command": "…"}}}',
    );
  }
  return terminalPorts({
    dataDir: dataDirOf(options),
    serversFile,
    model: options.model,
    showAddress: url => output.note(`Open this page in your browser: ${exact(url)}`),
  });
}

/**
 * Ctrl-C, the signals that end a program, and a reader of our output that has gone: the first asks the command to
 * end, a second Ctrl-C does not wait.
 */
class Interrupts {
  readonly #stop = new AbortController();
  readonly #onSignal = (signal: NodeJS.Signals) => {
    if (signal === 'SIGINT') this.interrupt();
    else this.#end(signal);
  };
  readonly #onBrokenPipe = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    this.#end('SIGPIPE');
  };
  #handler: (() => boolean) | undefined;
  /** The exit status of a program that a signal ended. */
  status = 0;

  constructor() {
    for (const signal of ending) process.on(signal, this.#onSignal);
    process.stdout.on('error', this.#onBrokenPipe);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  handle(handler: () => boolean): void {
    this.#handler = handler;
  }

  interrupt(): void {
    if (this.#stop.signal.aborted) process.exit(this.status);
    if (!this.#handler?.()) this.#end('SIGINT');
  }

  /** From now on a signal ends the program at once. */
  close(): void {
    for (const signal of ending) process.off(signal, this.#onSignal);
  }

  #end(signal: NodeJS.Signals): void {
    this.status = 128 + constants.signals[signal];
    this.#stop.abort();
  }
}

const ending = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
