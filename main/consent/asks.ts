import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type AnswerOf,
  type Ask,
  type AskKind,
  type AskOf,
  answerSchemas,
  cancelAnswers,
  declineAnswers,
} from '../../shared/asks.ts';
import type { DecidedBy } from '../../shared/audit.ts';
import { HostError } from '../../shared/errors.ts';
import type { Emit } from '../events.ts';
import { endedBy } from './endings.ts';

/** A question without what the queue itself adds. */
export type Question<K extends AskKind> = { kind: K } & Omit<AskOf<K>, 'id' | 'askedAt' | 'kind'>;

export interface AsksOptions {
  /** Hears of every question and of how it ended. */
  journal?: { asked(ask: Ask): void; answered(ask: Ask, answer: Answer, by: DecidedBy): void };
  /** Whether the person wants no more questions of this server there; to be counted. */
  isMuted?(conversationId: string | undefined, server: string): boolean;
}

interface Open {
  ask: Ask;
  /** What is wrong with an answer of the right kind, if anything. */
  check(answer: Answer): string | undefined;
  settle(answer: Answer, by: DecidedBy): void;
}

/**
 * The queue of questions to the person. Every question ends exactly once: by an answer, by its signal (Stop, the
 * server took it back or is gone), or by `cancelAll` (window closed, quit). Nothing is ever accepted by itself.
 */
export class Asks {
  readonly #emit: Emit;
  readonly #options: AsksOptions;
  readonly #open = new Map<string, Open>();
  #closed = false;

  constructor(emit: Emit, options: AsksOptions = {}) {
    this.#emit = emit;
    this.#options = options;
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
    const { journal, isMuted } = this.#options;
    const cancelled = cancelAnswers[question.kind];
    if (this.#closed || signal?.aborted) return Promise.resolve(cancelled);
    const ask = { ...question, id: randomUUID(), askedAt: Date.now() } as unknown as Ask;
    const declined = declineAnswers[ask.kind];
    if (declined && isMuted?.(ask.conversationId, ask.server)) {
      journal?.answered(ask, declined, 'muted');
      return Promise.resolve(declined as AnswerOf<K>);
    }
    return new Promise(resolve => {
      const onAbort = () => settle(cancelled, endedBy(signal?.reason));
      const settle = (answer: Answer, by: DecidedBy) => {
        if (!this.#open.delete(ask.id)) return;
        signal?.removeEventListener('abort', onAbort);
        this.#emit('ask.closed', { id: ask.id });
        journal?.answered(ask, answer, by);
        resolve(answer as AnswerOf<K>);
      };
      this.#open.set(ask.id, { ask, settle, check: check as Open['check'] });
      signal?.addEventListener('abort', onAbort, { once: true });
      journal?.asked(ask);
      this.#emit('ask.opened', ask);
    });
  }

  /** @throws HostError `ask.gone` when the question has ended, `ask.answer` or another when the answer does not fit it */
  answer(id: string, answer: unknown, by: DecidedBy = 'person'): void {
    const open = this.#open.get(id);
    if (!open) throw new HostError('ask.gone', 'This question is no longer open.');
    const parsed = answerSchemas[open.ask.kind].safeParse(answer);
    if (!parsed.success)
      throw new HostError('ask.answer', `This is no answer to a question of kind ${open.ask.kind}.`);
    const problem = open.check(parsed.data);
    if (problem !== undefined) throw new HostError('ask.answer', problem);
    open.settle(parsed.data, by);
  }

  /** Declines everything that a server itself asks in a conversation, or outside of all. */
  declineAll(server: string, conversationId: string | undefined): void {
    for (const { ask, settle } of [...this.#open.values()]) {
      const declined = declineAnswers[ask.kind];
      if (declined && ask.server === server && ask.conversationId === conversationId)
        settle(declined, 'person');
    }
  }

  /** The open questions, oldest first. */
  pending(): Ask[] {
    return [...this.#open.values()].map(open => open.ask);
  }

  /** Ends every open question with its cancel answer, because nobody can see it any more. */
  cancelAll(by: 'windowClosed' | 'quit'): void {
    for (const { ask, settle } of [...this.#open.values()]) settle(cancelAnswers[ask.kind], by);
  }

  /** Like `cancelAll`, and every later question is cancelled at once. */
  close(): void {
    this.#closed = true;
    this.cancelAll('quit');
  }
}
