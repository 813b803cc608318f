import type { HostEvent, NumberedEvent } from '../../shared/ipc.ts';

/** A frame at 60 Hz, in milliseconds: the window can show nothing more often. */
const FRAME_MS = 16;

/**
 * Text alone is sent no more often, in milliseconds: what grows 30 times a second reads as smooth as at 60, for half of
 * the work in the window.
 */
const PACE_MS = 32;

/**
 * Numbers the host's events for the renderer and sends those of a frame together, in their order, however many there
 * are. What grows in one block is one event: text is put together, and of its states only the last is sent. Questions,
 * the ends of turns and what a person chose in a menu go at once, with all that came before them.
 */
export class Broadcast {
  readonly #send: (events: NumberedEvent[]) => void;
  #held: (HostEvent | undefined)[] = [];
  /** Where in `#held` the events of a block stand that a later one may be put together with. */
  readonly #ofBlock = new Map<string, number[]>();
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;
  #seq = 0;

  constructor(send: (events: NumberedEvent[]) => void) {
    this.#send = send;
  }

  /** The number of the last event sent; call `flush` first when a snapshot must contain everything so far. */
  get seq(): number {
    return this.#seq;
  }

  readonly accept = (event: HostEvent): void => {
    this.#hold(event);
    if (isUrgent(event)) this.flush();
    else this.#sendWithin(event.name === 'block.delta' ? PACE_MS : FRAME_MS);
  };

  flush(): void {
    clearTimeout(this.#timer);
    this.#due = Number.POSITIVE_INFINITY;
    const events = this.#held.filter(event => event !== undefined);
    this.#held = [];
    this.#ofBlock.clear();
    if (events.length > 0)
      this.#send(
        events.map(event => {
          this.#seq += 1;
          return { ...event, seq: this.#seq };
        }),
      );
  }

  #hold(event: HostEvent): void {
    if (event.name !== 'block.delta' && event.name !== 'block.changed') {
      // It holds blocks as they are now: nothing later may be put in front of it.
      if (event.name === 'message.changed' || event.name === 'branch.changed') this.#ofBlock.clear();
      this.#held.push(event);
      return;
    }
    const key = `${event.payload.messageId} ${event.payload.index}`;
    const before = this.#ofBlock.get(key) ?? [];
    if (event.name === 'block.changed') {
      for (const at of before) this.#held[at] = undefined;
      this.#ofBlock.set(key, [this.#held.push(event) - 1]);
      return;
    }
    const last = before.at(-1);
    const held = last === undefined ? undefined : this.#held[last];
    if (last !== undefined && held?.name === 'block.delta' && held.payload.kind === event.payload.kind) {
      const text = held.payload.text + event.payload.text;
      this.#held[last] = { ...held, payload: { ...held.payload, text } };
    } else {
      this.#ofBlock.set(key, [...before, this.#held.push(event) - 1]);
    }
  }

  #sendWithin(ms: number): void {
    const due = performance.now() + ms;
    if (due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.flush(), ms);
  }
}

function isUrgent(event: HostEvent): boolean {
  switch (event.name) {
    case 'ask.opened':
    case 'ask.closed':
    case 'ask.show':
    case 'command':
      return true;
    case 'turn.changed':
      return event.payload.phase === 'idle';
    default:
      return false;
  }
}
