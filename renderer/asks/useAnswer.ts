import { useState } from 'react';
import type { Answer, Ask } from '../../shared/asks.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { request } from '../stores/host.ts';

export interface Answering {
  /** Gives the answer once; more calls while it is on its way do nothing. */
  answer(answer: Answer): void;
  busy: boolean;
  /** Why the answer did not arrive. The question is still open then. */
  error: ErrorInfo | undefined;
}

/** Answers one question. The card goes away when the host says that the question has ended, not before. */
export function useAnswer(ask: Ask): Answering {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorInfo>();
  const answer = async (given: Answer) => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await request('asks.answer', { id: ask.id, answer: given });
    } catch (reason) {
      setError(toErrorInfo(reason));
      setBusy(false);
    }
  };
  return { answer: given => void answer(given), busy, error };
}
