import type { ErrorInfo } from '../../shared/errors.ts';
import type { ServerState } from '../../shared/servers.ts';

const ACTIVITY_PAUSE_MS = 250;

/** How a server is, in a person's terms. Every change is told; what it says while it starts, a few times a second. */
export class Status {
  state: ServerState;
  /** Ms since the epoch. */
  since = Date.now();
  /** Why it is not there. */
  error: ErrorInfo | undefined;
  /** The last it said while it is starting. */
  activity: string | undefined;
  readonly #notes = new Set<string>();
  readonly #onChange: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(state: ServerState, onChange: () => void) {
    this.state = state;
    this.#onChange = onChange;
  }

  /** What is odd about it, since it was started. */
  get notes(): string[] {
    return [...this.#notes];
  }

  become(state: ServerState, error?: ErrorInfo): void {
    this.state = state;
    this.since = Date.now();
    this.error = error;
    this.#silence();
    if (state === 'connecting') this.#notes.clear();
    this.#onChange();
  }

  note(text: string): void {
    if (this.#notes.has(text)) return;
    this.#notes.add(text);
    this.#onChange();
  }

  /** A line of its log: what a server that takes long to start is doing. */
  hear(line: string): void {
    if (this.state !== 'connecting') return;
    this.activity = line.trim().slice(0, 300) || this.activity;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#onChange();
    }, ACTIVITY_PAUSE_MS);
  }

  #silence(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.activity = undefined;
  }
}
