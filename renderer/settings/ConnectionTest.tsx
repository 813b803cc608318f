import { useEffect, useState } from 'react';
import { GUIDE, type ModelStatus } from '../../shared/settings.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import styles from './ModelForms.module.css';
import { useAction } from './useAction.ts';

/** Does it work? One tiny request, and the answer in words. */
export function ConnectionTest({ status }: { status: ModelStatus }) {
  const [answered, setAnswered] = useState<string>();
  const { run, busy, error, clear } = useAction();
  // A result says nothing about another key, endpoint or model.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the status changes
  useEffect(() => {
    setAnswered(undefined);
    clear();
  }, [status]);
  const test = () => {
    setAnswered(undefined);
    void run(async () => setAnswered((await request('model.test')).model));
  };
  const guide = status.model === GUIDE;
  return (
    <div className={styles.test}>
      <Button disabled={busy || guide} onClick={test}>
        {busy ? 'Testing…' : 'Test connection'}
      </Button>
      <span role="status">
        {guide && 'The Guide needs no connection.'}
        {answered && `It works: ${answered} answered.`}
      </span>
      {error && <Callout tone="danger" title="It does not work" error={error} />}
    </div>
  );
}
