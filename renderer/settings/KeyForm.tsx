import { type FormEvent, useState } from 'react';
import type { ModelStatus } from '../../shared/settings.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { TextField } from '../ui/TextField.tsx';
import styles from './ModelForms.module.css';
import { useAction } from './useAction.ts';

/** Where the key comes from, in words. */
const sources: Record<ModelStatus['key'], string> = {
  none: 'There is no key. Without one, the Guide answers.',
  environment: 'The key comes from the environment variable ANTHROPIC_API_KEY. It can only be changed there.',
  encrypted: 'A key is stored on this computer, encrypted.',
  plain: 'A key is stored on this computer without encryption, as you chose.',
  session: 'A key is kept until Parley closes.',
};

type Keeping = 'session' | 'plain';

/** The API key: written here, never read back. */
export function KeyForm({ status }: { status: ModelStatus }) {
  const [key, setKey] = useState('');
  const [keeping, setKeeping] = useState<Keeping>('session');
  const { run, busy, error } = useAction();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const acceptPlain = !status.encryption && keeping === 'plain';
    if (await run(() => request('model.setKey', { key: key.trim(), acceptPlain }))) setKey('');
  };
  const stored = status.key !== 'none' && status.key !== 'environment';
  return (
    <form className={styles.form} onSubmit={event => void save(event)}>
      <p role="status">{sources[status.key]}</p>
      {status.key !== 'environment' && (
        <>
          {!status.encryption && (
            <Callout tone="warning" title="This computer cannot encrypt the key">
              <p>No keyring was found to keep it in. How should Parley keep it?</p>
              <fieldset className={styles.radios} aria-label="How to keep the key">
                <Keep value="session" chosen={keeping} onChoose={setKeeping}>
                  For this session only: it is gone when Parley closes
                </Keep>
                <Keep value="plain" chosen={keeping} onChoose={setKeeping}>
                  Store it unencrypted: any program that runs as you can read it
                </Keep>
              </fieldset>
            </Callout>
          )}
          <div className={styles.inline}>
            <TextField
              label={stored ? 'New API key' : 'API key'}
              type="password"
              autoComplete="off"
              value={key}
              onChange={setKey}
            />
            <Button type="submit" variant="primary" disabled={busy || key.trim() === ''}>
              Save
            </Button>
            {stored && (
              <Button disabled={busy} onClick={() => void run(() => request('model.clearKey'))}>
                Remove
              </Button>
            )}
          </div>
        </>
      )}
      {error && <Callout tone="danger" error={error} />}
    </form>
  );
}

interface KeepProps {
  value: Keeping;
  chosen: Keeping;
  onChoose(value: Keeping): void;
  children: string;
}

function Keep({ value, chosen, onChoose, children }: KeepProps) {
  return (
    <label className={styles.radio}>
      <input type="radio" name="keeping" checked={chosen === value} onChange={() => onChoose(value)} />
      {children}
    </label>
  );
}
