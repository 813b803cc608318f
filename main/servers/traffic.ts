import type { TrafficDirection, TrafficEntry, TrafficKind } from '../../shared/traffic.ts';
import { hideSecrets } from './messageSecrets.ts';

/** As many as the log has; more than a person looks through. */
const MAX_ENTRIES = 1000;
/** Of one server, in characters: with twenty busy servers still less than a hundred megabytes. */
const MAX_LENGTH = 4 * 1024 * 1024;
/** A longer message is kept as its beginning: the list of a hundred well described tools is whole. */
const MAX_MESSAGE_LENGTH = 256 * 1024;
/** So much more is looked at before the cut: half of a secret would not be recognised any more. */
const CUT_MARGIN = 16 * 1024;
/** Whoever follows gets what came within this time at once, and of a flood only the newest. */
const GATHER_MS = 250;
const MAX_TOLD = 200;
const MAX_TOLD_LENGTH = 512 * 1024;
/** Of a name or an id, which are the server's to choose, so much is shown. */
const MAX_NAME_LENGTH = 200;

/** Whether to record at all; hears of new entries, and nothing is done for that while `isWanted` says no. */
export interface TrafficFollower {
  isRecording(): boolean;
  isWanted(): boolean;
  hear(entries: TrafficEntry[]): void;
}

/** A message as it is kept: its text as it was, because most are never looked at. */
export interface KeptMessage {
  number: number;
  at: number;
  direction: TrafficDirection;
  kind: TrafficKind;
  method: string | undefined;
  id: string | number | undefined;
  answers: number | undefined;
  durationMs: number | undefined;
  status: number | undefined;
  text: string;
  /** Of one that was cut; else it is counted when it is looked at. */
  bytes: number | undefined;
}

/**
 * The newest messages between Parley and one server, in both directions and over all its sessions. Recording only keeps
 * a text that the transport has at hand anyway; secrets are hidden when somebody looks.
 */
export class Traffic {
  readonly #redact: (text: string) => string;
  readonly #follower: TrafficFollower;
  #kept: KeptMessage[] = [];
  /** Where the newest begin in `#kept`. */
  #start = 0;
  #length = 0;
  #number = 0;
  #told = 0;
  #telling: NodeJS.Timeout | undefined;

  constructor(redact: (text: string) => string, follower: TrafficFollower) {
    this.#redact = redact;
    this.#follower = follower;
  }

  get isRecording(): boolean {
    return this.#follower.isRecording();
  }

  /** Oldest first, without secrets. */
  entries(): TrafficEntry[] {
    return this.#kept.slice(this.#start).map(kept => this.#show(kept));
  }

  /** Forgets everything until now. */
  clear(): void {
    while (this.#start < this.#kept.length) this.#dropOldest();
    this.#makeRoom();
  }

  /** Takes a message in, with a number of its own. */
  keep(kept: KeptMessage): void {
    kept.number = ++this.#number;
    if (kept.text.length > MAX_MESSAGE_LENGTH) this.#cut(kept);
    this.#kept.push(kept);
    this.#length += kept.text.length;
    this.#makeRoom();
    if (this.#follower.isWanted()) this.#telling ??= setTimeout(() => this.#tell(), GATHER_MS);
    else this.#told = this.#number;
  }

  /** Tells what it has not told yet, and then nobody any more. */
  close(): void {
    if (this.#telling === undefined) return;
    clearTimeout(this.#telling);
    this.#tell();
  }

  #cut(kept: KeptMessage): void {
    kept.bytes = Buffer.byteLength(kept.text);
    const beginning = this.#redact(kept.text.slice(0, MAX_MESSAGE_LENGTH + CUT_MARGIN));
    kept.text = ownCopy(beginning.slice(0, MAX_MESSAGE_LENGTH));
  }

  #makeRoom(): void {
    while (this.#kept.length - this.#start > MAX_ENTRIES || this.#length > MAX_LENGTH) this.#dropOldest();
    // In steps: shifting an array of a thousand for each message would be felt.
    if (this.#start < MAX_ENTRIES && this.#start < this.#kept.length) return;
    this.#kept = this.#kept.slice(this.#start);
    this.#start = 0;
  }

  #dropOldest(): void {
    const oldest = this.#kept[this.#start++];
    if (!oldest) return;
    this.#length -= oldest.text.length;
    // A request that waits for its answer is still held by its session.
    oldest.text = '';
  }

  #tell(): void {
    this.#telling = undefined;
    let length = 0;
    let from = this.#kept.length;
    const oldest = Math.max(this.#start, from - MAX_TOLD);
    for (; from > oldest; from--) {
      const kept = this.#kept[from - 1];
      if (!kept || kept.number <= this.#told) break;
      length += kept.text.length;
      if (length > MAX_TOLD_LENGTH) break;
    }
    this.#told = this.#number;
    const news = this.#kept.slice(from).map(kept => this.#show(kept));
    if (news.length > 0) this.#follower.hear(news);
  }

  #show({ method, id, answers, durationMs, status, bytes, ...kept }: KeptMessage): TrafficEntry {
    const isCut = bytes !== undefined;
    return {
      ...kept,
      ...(method === undefined ? {} : { method: this.#name(method) }),
      ...(id === undefined ? {} : { id: typeof id === 'string' ? this.#name(id) : id }),
      ...(answers === undefined ? {} : { answers }),
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(status === undefined ? {} : { status }),
      bytes: bytes ?? Buffer.byteLength(kept.text),
      text: hideSecrets(kept.text, { isCut, redact: this.#redact }),
      isCut,
    };
  }

  #name(text: string): string {
    return this.#redact(text).slice(0, MAX_NAME_LENGTH);
  }
}

/** The same text, without the larger one that it may be a part of in memory. */
export function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}
