import { useState } from 'react';
import { type Answer, type Ask, isRefusal } from '../../shared/asks.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { request } from '../stores/host.ts';
import { useSettled } from './useSettled.ts';

export interface Answering {
  /** Gives the answer once; more calls while it is on its way do nothing. Nor does agreeing before it is `settled`. */
  answer(answer: Answer): void;
  busy: boolean;
  /** The question has been on the screen for long enough to be agreed to. Refusing is possible at once. */
  settled: boolean;
  /** Why the answer did not arrive. The question is still open then. */
  error: ErrorInfo | undefined;
}

/** Answers one question. The card goes away when the host says that the question has ended, not before. */
export function useAnswer(ask: Ask): Answering {
  const { answerAll, ...rest } = useAnswers([ask]);
  return { ...rest, answer: answerAll };
}

/** Gives the same answer to several questions that are on the screen together. */
export function useAnswers(
  asks: readonly Ask[],
): Omit<Answering, 'answer'> & { answerAll(answer: Answer): void } {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorInfo>();
  const settled = useSettled(asks.map(({ id }) => id).join());
  const give = async (answer: Answer) => {
    if (busy || (!settled && !isRefusal(answer))) return;
    setBusy(true);
    setError(undefined);
    try {
      await Promise.all(asks.map(({ id }) => request('asks.answer', { id, answer })));
    } catch (reason) {
      setError(toErrorInfo(reason));
      setBusy(false);
    }
  };
  return { answerAll: answer => void give(answer), busy, settled, error };
}
