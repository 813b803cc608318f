import type { EventName, EventPayload, HostEvent } from '../shared/ipc.ts';

export type Emit = <N extends EventName>(name: N, payload: EventPayload<N>) => void;
export type Listener = (event: HostEvent) => void;

/** The one stream of host events: emitted by whoever owns the noun, heard by every face of the host. */
export class HostEvents {
  readonly #listeners = new Set<Listener>();

  readonly emit: Emit = (name, payload) => {
    const event = { name, payload } as HostEvent;
    for (const listener of [...this.#listeners]) listener(event);
  };

  /** Returns the function that ends the subscription. */
  on(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
