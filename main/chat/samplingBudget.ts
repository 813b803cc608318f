import { HostError } from '../../shared/errors.ts';

/** A person can read no more prompts than that, and a server in a loop would ask for ever. */
const PROMPTS_PER_MINUTE = 10;
/** How much a server may have written at the person's expense, in tokens of the limits that they agreed to. */
const TOKENS_PER_HOUR = 200_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What one server may still have of the language model. */
export class SamplingBudget {
  readonly #now: () => number;
  #prompts: number[] = [];
  #spent: { at: number; tokens: number }[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts one prompt. @throws HostError `sampling.limit` */
  ask(): void {
    const since = this.#now() - MINUTE_MS;
    this.#prompts = this.#prompts.filter(at => at > since);
    if (this.#prompts.length >= PROMPTS_PER_MINUTE)
      throw new HostError('sampling.limit', `A server may ask ${PROMPTS_PER_MINUTE} times in a minute.`);
    this.#prompts.push(this.#now());
  }

  /** Counts what an answer may cost at most. @throws HostError `sampling.limit` */
  spend(tokens: number): void {
    const since = this.#now() - HOUR_MS;
    this.#spent = this.#spent.filter(({ at }) => at > since);
    const sum = this.#spent.reduce((total, spent) => total + spent.tokens, tokens);
    if (sum > TOKENS_PER_HOUR)
      throw new HostError('sampling.limit', `A server may use ${TOKENS_PER_HOUR} tokens in an hour.`);
    this.#spent.push({ at: this.#now(), tokens });
  }
}
