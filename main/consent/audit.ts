import { appendFileSync, closeSync, openSync, readFileSync, readSync, renameSync, statSync } from 'node:fs';
import type { Answer, Ask } from '../../shared/asks.ts';
import { AuditEntry, type DecidedBy } from '../../shared/audit.ts';
import type { Emit } from '../events.ts';
import { aboutOf, isEdited } from './auditSummary.ts';

/** When the file is larger, it becomes the older one, and the older one before it goes. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Of what a question is about. */
const MAX_ABOUT = 4000;
/** Entries wait so long to be written together: a call that a rule allows is not held up by a disk. */
const GATHER_MS = 200;

/** In the data directory. */
export const AUDIT_FILE = 'audit.jsonl';

export interface AuditOptions {
  emit: Emit;
  /** Takes secrets out of a text that has to do with a server. */
  hide(text: string, server: string | undefined): string;
  maxFileBytes?: number;
}

/** An entry on its way to the file: what it is about has not been made a text of yet, and holds its secrets. */
type Draft = Omit<AuditEntry, 'at' | 'about'> & { about?: unknown };

/**
 * Every question, every answer and every decision without a question, as lines of JSON: `file`, and before it one
 * older file. A log that cannot be written is said once and stops nothing.
 */
export class AuditLog {
  readonly #file: string;
  readonly #options: AuditOptions;
  #waiting: (Draft & { at: string })[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isBegun = false;
  #isBroken = false;

  constructor(file: string, options: AuditOptions) {
    this.#file = file;
    this.#options = options;
  }

  asked(ask: Ask): void {
    this.#add({ event: 'asked', ...summary(ask), about: aboutOf(ask) });
  }

  answered(ask: Ask, answer: Answer, by: DecidedBy): void {
    const edited = isEdited(ask, answer) ? { edited: true, about: aboutOf(ask, answer) } : {};
    this.#add({ event: 'answered', ...summary(ask), decision: answer.action, by, ...edited });
  }

  /** Something that was decided without a question, or about later ones. */
  decided(entry: Omit<Draft, 'event' | 'id'>): void {
    this.#add({ event: 'decided', ...entry });
  }

  read(): Audit {
    this.flush();
    return readAudit(this.#file);
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#waiting;
    this.#waiting = [];
    if (entries.length === 0) return;
    try {
      this.#makeRoom();
      appendFileSync(this.#file, entries.map(entry => this.#line(entry)).join(''), { mode: 0o600 });
      this.#isBroken = false;
    } catch (error) {
      this.#complain(error as Error);
    }
  }

  #add(draft: Draft): void {
    const last = this.#waiting.at(-1);
    if (last && isMuted(draft) && isMuted(last) && last.server === draft.server && last.kind === draft.kind) {
      // The flood of a server that is muted must not wash the rest out of the log.
      last.count = (last.count ?? 1) + 1;
      return;
    }
    this.#waiting.push({ at: new Date().toISOString(), ...draft });
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  #line({ about, ...entry }: Draft): string {
    if (about === undefined) return `${JSON.stringify(entry)}\n`;
    const text = typeof about === 'string' ? about : JSON.stringify(about);
    // Hidden before it is cut: half of a secret would not be recognised any more.
    return `${JSON.stringify({ ...entry, about: short(this.#options.hide(text, entry.server)) })}\n`;
  }

  #makeRoom(): void {
    const size = sizeOf(this.#file);
    if (size > (this.#options.maxFileBytes ?? MAX_FILE_BYTES)) renameSync(this.#file, `${this.#file}.1`);
    // A line that a crash cut in the middle stays alone.
    else if (!this.#isBegun && size > 0 && !endsWithLine(this.#file, size)) appendFileSync(this.#file, '\n');
    this.#isBegun = true;
  }

  #complain(error: Error): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#options.emit('problem', {
      code: 'audit.write',
      message: `The audit log cannot be written: ${error.message}`,
      hint: 'Parley goes on, but what is decided until it can be written again is not in the log.',
    });
  }
}

/** What is in the log, oldest first, and how many lines of it cannot be read. */
export interface Audit {
  entries: AuditEntry[];
  damaged: number;
}

export function readAudit(file: string): Audit {
  const lines = [`${file}.1`, file].flatMap(part => readText(part).split('\n').filter(Boolean));
  const entries = lines.flatMap(line => parse(line) ?? []);
  return { entries, damaged: lines.length - entries.length };
}

function summary(ask: Ask): Pick<AuditEntry, 'kind' | 'id' | 'server' | 'tool' | 'conversationId'> {
  const { kind, id, server, conversationId } = ask;
  return {
    kind,
    id,
    server,
    ...('tool' in ask ? { tool: ask.tool } : {}),
    ...(conversationId === undefined ? {} : { conversationId }),
  };
}

function isMuted({ by }: Draft): boolean {
  return by === 'muted';
}

function short(text: string): string {
  return text.length <= MAX_ABOUT ? text : `${text.slice(0, MAX_ABOUT)}… (${text.length} characters)`;
}

function parse(line: string): AuditEntry | undefined {
  try {
    return AuditEntry.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined; // Counted by the caller.
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function endsWithLine(file: string, size: number): boolean {
  const handle = openSync(file, 'r');
  try {
    const last = Buffer.alloc(1);
    readSync(handle, last, 0, 1, size - 1);
    return last[0] === 0x0a;
  } finally {
    closeSync(handle);
  }
}
