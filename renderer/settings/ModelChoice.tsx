import { type FormEvent, useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { GUIDE, type ModelList, type ModelStatus } from '../../shared/settings.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Select } from '../ui/Select.tsx';
import { Switch } from '../ui/Switch.tsx';
import { TextField } from '../ui/TextField.tsx';
import styles from './ModelForms.module.css';
import { useAction } from './useAction.ts';

/** The choice that leaves it to Parley; no id of an endpoint has a blank in it. */
const AUTOMATIC = 'automatic choice';

/** Which model the next message goes to: one of the endpoint's, one by its id, or the Guide. */
export function ModelChoice({ status }: { status: ModelStatus }) {
  const chosen = useSettings(state => state.settings.model);
  const { list, error: listError } = useModels(status);
  const named = useSettings(state => state.settings.nameConversations);
  const [id, setId] = useState('');
  const { run, busy, error } = useAction();
  const choose = (model: string | null) => run(() => request('settings.update', { model }));
  const chooseId = async (event: FormEvent) => {
    event.preventDefault();
    if (await choose(id.trim())) setId('');
  };
  const models = list?.models ?? [];
  const listed = chosen === undefined || chosen === GUIDE || models.some(model => model.id === chosen);
  return (
    <form className={styles.form} onSubmit={event => void chooseId(event)}>
      <Select
        label="Model"
        value={chosen ?? AUTOMATIC}
        disabled={busy}
        options={[
          {
            value: AUTOMATIC,
            label: `Automatic (now ${status.model === GUIDE ? 'the Guide' : status.model})`,
          },
          ...models.map(model => ({ value: model.id, label: model.name })),
          ...(listed ? [] : [{ value: chosen, label: chosen }]),
          { value: GUIDE, label: 'Guide: no language model' },
        ]}
        onChange={value => void choose(value === AUTOMATIC ? null : value)}
      />
      {list?.fallback && <p className={styles.note}>This is the built-in list: {list.fallback}</p>}
      {listError && <Callout tone="warning" error={listError} />}
      <div className={styles.inline}>
        <TextField label="Or a model by its id" code value={id} onChange={setId} />
        <Button type="submit" disabled={busy || id.trim() === ''}>
          Use this model
        </Button>
      </div>
      <Switch
        label="The model names conversations, with a short request after its first answer"
        checked={named}
        onChange={nameConversations => void run(() => request('settings.update', { nameConversations }))}
      />
      {error && <Callout tone="danger" error={error} />}
    </form>
  );
}

/** The models of the endpoint, asked again when the way to it changes. */
function useModels({ key, baseUrl, headers }: ModelStatus): {
  list: ModelList | undefined;
  error: ErrorInfo | undefined;
} {
  const [list, setList] = useState<ModelList>();
  const [error, setError] = useState<ErrorInfo>();
  const access = JSON.stringify([key, baseUrl, headers]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `access` stands for what the answer depends on
  useEffect(() => {
    let current = true;
    request('model.list').then(
      models => {
        if (!current) return;
        setList(models);
        setError(undefined);
      },
      reason => current && setError(toErrorInfo(reason)),
    );
    return () => {
      current = false;
    };
  }, [access]);
  return { list, error };
}
