import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type AnswerOf,
  type Ask,
  type AskKind,
  type AskOf,
  answerSchemas,
  cancelAnswers,
} from '../../shared/asks.ts';
import { HostError } from '../../shared/errors.ts';
import type { Emit } from '../events.ts';

/** A question without what the queue itself adds. */
export type Question<K extends AskKind> = { kind: K } & Omit<AskOf<K>, 'id' | 'askedAt' | 'kind'>;

interface Open {
  ask: Ask;
  /** What is wrong with an answer of the right kind, if anything. */
  check(answer: Answer): string | undefined;
  settle(answer: Answer): void;
}

/**
 * The queue of questions to the person. Every question ends exactly once: by an answer, by its signal (Stop, the
 * server took it back or is gone), or by `cancelAll` (window closed, quit). Nothing is ever accepted by itself.
 */
export class Asks {
  readonly #emit: Emit;
  readonly #open = new Map<string, Open>();
  #closed = false;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /**
   * Resolves with the person's answer, or with the kind's cancel answer when `signal` fires first.
   * @param check says in words what is wrong with an answer; the question stays open then
   */
  ask<K extends AskKind>(
    question: Question<K>,
    signal?: AbortSignal,
    check: (answer: AnswerOf<K>) => string | undefined = () => undefined,
  ): Promise<AnswerOf<K>> {
    const cancelled = cancelAnswers[question.kind];
    if (this.#closed || signal?.aborted) return Promise.resolve(cancelled);
    const ask = { ...question, id: randomUUID(), askedAt: Date.now() } as unknown as Ask;
    return new Promise(resolve => {
      const onAbort = () => settle(cancelled);
      const settle = (answer: Answer) => {
        if (!this.#open.delete(ask.id)) return;
        signal?.removeEventListener('abort', onAbort);
        this.#emit('ask.closed', { id: ask.id });
        resolve(answer as AnswerOf<K>);
      };
      this.#open.set(ask.id, { ask, settle, check: check as Open['check'] });
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#emit('ask.opened', ask);
    });
  }

  /** @throws HostError `ask.gone` when the question has ended, `ask.answer` or another when the answer does not fit it */
  answer(id: string, answer: unknown): void {
    const open = this.#open.get(id);
    if (!open) throw new HostError('ask.gone', 'This question is no longer open.');
    const parsed = answerSchemas[open.ask.kind].safeParse(answer);
    if (!parsed.success)
      throw new HostError('ask.answer', `This is no answer to a question of kind ${open.ask.kind}.`);
    const problem = open.check(parsed.data);
    if (problem !== undefined) throw new HostError('ask.answer', problem);
    open.settle(parsed.data);
  }

  /** The open questions, oldest first. */
  pending(): Ask[] {
    return [...this.#open.values()].map(open => open.ask);
  }

  /** Ends every open question with its cancel answer, for instance because nobody can see it any more. */
  cancelAll(): void {
    for (const { ask, settle } of [...this.#open.values()]) settle(cancelAnswers[ask.kind]);
  }

  /** Like `cancelAll`, and every later question is cancelled at once. */
  close(): void {
    this.#closed = true;
    this.cancelAll();
  }
}
