import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../database.ts';

/** A holder that has not renewed its lease for so long has died. */
const LIFE_MS = 15_000;
const RENEW_MS = 5000;
const LOOK_MS = 50;

/** Work that only one at a time may do, among all the Parleys on one data directory. */
export class Leases {
  readonly #db: Db;
  readonly #now: () => number;

  constructor(db: Db, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  /** Does `work` as soon as nobody else holds the lease, and holds it meanwhile. `signal` ends the waiting. */
  async hold<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const owner = randomUUID();
    while (!this.#take(name, owner)) await sleep(LOOK_MS, undefined, { signal });
    const renewing = setInterval(() => this.#renew(name, owner), RENEW_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      if (this.#db.open) this.#db.prepare('DELETE FROM leases WHERE name = ? AND owner = ?').run(name, owner);
    }
  }

  #take(name: string, owner: string): boolean {
    const now = this.#now();
    const taken = this.#db.prepare(
      `INSERT INTO leases (name, owner, until) VALUES (?, ?, ?) ON CONFLICT (name)
       DO UPDATE SET owner = excluded.owner, until = excluded.until WHERE leases.until < ?`,
    );
    return taken.run(name, owner, now + LIFE_MS, now).changes > 0;
  }

  #renew(name: string, owner: string): void {
    if (!this.#db.open) return;
    const renewed = this.#db.prepare('UPDATE leases SET until = ? WHERE name = ? AND owner = ?');
    renewed.run(this.#now() + LIFE_MS, name, owner);
  }
}
