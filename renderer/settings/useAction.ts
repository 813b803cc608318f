import { useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';

export interface Action {
  /** Runs `work`, one at a time; resolves to whether it succeeded. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  busy: boolean;
  /** Why the last run failed. */
  error: ErrorInfo | undefined;
  clear(): void;
}

/** Something the person started: whether it is running, and in words why it failed, to be shown beside it. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorInfo>();
  const run = async (work: () => Promise<unknown>) => {
    if (busy) return false;
    setBusy(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (reason) {
      setError(toErrorInfo(reason));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, error, clear: () => setError(undefined) };
}
