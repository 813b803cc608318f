import type { Delta } from '../../shared/chat.ts';
import type { HostEvent, NumberedEvent } from '../../shared/ipc.ts';

/**
 * Deltas are merged and sent no more often, in milliseconds: two frames at 60 Hz. Text that grows 30 times a second
 * reads as smooth as at 60, for half of the work in the window.
 */
const PACE_MS = 32;

/**
 * Numbers the host's events for the renderer and merges text deltas: at most one for each block in `PACE_MS`. Any
 * other event first sends what is held back, so that the order stays true.
 */
export class Broadcast {
  readonly #send: (event: NumberedEvent) => void;
  readonly #held = new Map<string, Delta>();
  #timer: NodeJS.Timeout | undefined;
  #seq = 0;

  constructor(send: (event: NumberedEvent) => void) {
    this.#send = send;
  }

  /** The number of the last event sent; call `flush` first when a snapshot must contain everything so far. */
  get seq(): number {
    return this.#seq;
  }

  readonly accept = (event: HostEvent): void => {
    if (event.name === 'block.delta') {
      this.#hold(event.payload);
      return;
    }
    this.flush();
    this.#sendNumbered(event);
  };

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const deltas = [...this.#held.values()];
    this.#held.clear();
    for (const payload of deltas) this.#sendNumbered({ name: 'block.delta', payload });
  }

  #hold(delta: Delta): void {
    const key = `${delta.messageId} ${delta.index} ${delta.kind}`;
    const held = this.#held.get(key);
    this.#held.set(key, held ? { ...held, text: held.text + delta.text } : delta);
    this.#timer ??= setTimeout(() => this.flush(), PACE_MS);
  }

  #sendNumbered(event: HostEvent): void {
    this.#seq += 1;
    this.#send({ ...event, seq: this.#seq });
  }
}
