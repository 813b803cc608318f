import { stripVTControlCharacters } from 'node:util';
import type { LogEntry, LogLevel } from '../../shared/logs.ts';
import { ownCopy } from './traffic.ts';

const MAX_ENTRIES = 1000;
const MAX_TEXT_LENGTH = 2000;
/** So much of a text is looked at for what must not be kept: more than is kept, so that no half of a secret is left. */
const MAX_READ_LENGTH = 16 * 1024;
/** Whoever follows gets what came within this time at once, and of a flood only the newest. */
const GATHER_MS = 100;
const MAX_TOLD = 200;

const levelOf = { stderr: 'info', stdout: 'notice', parley: 'warning' } as const;

/** Hears of new entries; nothing is done for it while `isWanted` says no. */
export interface LogFollower {
  isWanted(): boolean;
  hear(entries: LogEntry[]): void;
}

/**
 * The newest of what a server wrote beside the protocol or sent as log messages, and what Parley noticed about it:
 * without terminal codes and without the secrets the server was given.
 */
export class ServerLog {
  /** Hides the server's secrets in a text. */
  redact: (text: string) => string;
  /** The least severe messages that the server is asked to send. */
  level: LogLevel = 'info';
  readonly #follower: LogFollower | undefined;
  #entries: LogEntry[] = [];
  #number = 0;
  /** The number of the last entry of the server's earlier lives. */
  #begunAt = 0;
  #told = 0;
  #telling: NodeJS.Timeout | undefined;

  constructor(redact: (text: string) => string, follower?: LogFollower) {
    this.redact = redact;
    this.#follower = follower;
  }

  /** A line that the server wrote. Returns it as it was kept. */
  add(text: string, source: 'stderr' | 'stdout' = 'stderr'): string {
    return this.#keep({ source, level: levelOf[source], text }).text;
  }

  /** Something that Parley noticed about the server. */
  note(text: string): void {
    this.#keep({ source: 'parley', level: levelOf.parley, text });
  }

  /** A log message of the server. */
  message(level: LogLevel, logger: string | undefined, text: string): void {
    this.#keep({
      source: 'server',
      level,
      text,
      ...(logger ? { logger: ownCopy(this.#clean(logger.slice(0, 1000)).slice(0, 100)) } : {}),
    });
  }

  /** Oldest first, at most 1,000. */
  entries(): LogEntry[] {
    return this.#entries.slice(-MAX_ENTRIES);
  }

  /** The server is started: what was said before is not what it ends with. */
  begin(): void {
    this.#begunAt = this.#number;
  }

  /**
   * The last few lines of the server that say something, for an error message: of its present life, if it said anything
   * in it.
   */
  tail(count = 3): string {
    const said = this.#entries.filter(({ source, text }) => source !== 'parley' && text.trim() !== '');
    const present = said.filter(({ number }) => number > this.#begunAt);
    return (present.length > 0 ? present : said)
      .slice(-count)
      .map(({ text }) => text)
      .join('\n')
      .slice(-600);
  }

  /** Tells nobody any more. */
  close(): void {
    clearTimeout(this.#telling);
  }

  #keep(entry: Omit<LogEntry, 'number' | 'at'>): LogEntry {
    // Hidden before it is cut: a cut could leave half of a secret that is not recognised any more.
    const text = this.#clean(entry.text.slice(0, MAX_READ_LENGTH)).slice(0, MAX_TEXT_LENGTH);
    // A piece of a text would hold the whole of it in memory.
    const kept = { ...entry, text: ownCopy(text), number: ++this.#number, at: Date.now() };
    this.#entries.push(kept);
    // Trimmed in steps: shifting an array of a thousand for each line of a flood would be felt.
    if (this.#entries.length > MAX_ENTRIES * 2) this.#entries = this.#entries.slice(-MAX_ENTRIES);
    if (this.#follower?.isWanted()) this.#telling ??= setTimeout(() => this.#tell(), GATHER_MS);
    else this.#told = this.#number;
    return kept;
  }

  #tell(): void {
    this.#telling = undefined;
    const news = this.#entries.slice(-MAX_TOLD).filter(({ number }) => number > this.#told);
    this.#told = this.#number;
    if (news.length > 0) this.#follower?.hear(news);
  }

  #clean(text: string): string {
    return this.redact(stripVTControlCharacters(text));
  }
}
