import { useEffect, useState } from 'react';
import type { ModelList } from '../../shared/settings.ts';
import { GUIDE } from '../../shared/settings.ts';
import { act, go } from '../stores/app.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Select.tsx';
import styles from './ChatHeader.module.css';
import { FullAutoButton } from './FullAutoButton.tsx';

/** The title, and who answers. */
export function ChatHeader() {
  const title = useConversations(state => state.conversations.find(({ id }) => id === state.openId)?.title);
  const status = useSettings(state => state.model);
  const unreachable =
    status.key === 'none' && status.headers.length === 0 && status.baseUrlFrom === 'default';
  return (
    <header className={styles.header}>
      <h1 className={styles.title} title={title}>
        {title ?? 'New conversation'}
      </h1>
      <FullAutoButton />
      {unreachable && status.model === GUIDE ? (
        <p className={styles.guide}>
          <span>Guide: no language model</span>
          <Button size="small" onClick={() => go('model')}>
            Enter a key
          </Button>
        </p>
      ) : (
        <ModelPicker />
      )}
    </header>
  );
}

function ModelPicker() {
  const status = useSettings(state => state.model);
  const models = useModels(`${status.baseUrl} ${status.key} ${status.headers.join()}`);
  const known = models.some(({ id }) => id === status.model) || status.model === GUIDE;
  const options = [
    ...(known ? [] : [{ value: status.model, label: status.model }]),
    ...models.map(({ id, name }) => ({ value: id, label: name })),
    { value: GUIDE, label: 'Guide: no language model' },
  ];
  return (
    <div className={styles.picker}>
      <Select
        label="Who answers"
        hideLabel
        value={status.model}
        options={options}
        onChange={model => act(request('settings.update', { model }))}
      />
    </div>
  );
}

/** The endpoint's models, asked anew when the endpoint or the key is another one. */
function useModels(endpoint: string): ModelList['models'] {
  const [models, setModels] = useState<ModelList['models']>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the endpoint decides the answer
  useEffect(() => {
    let gone = false;
    act(request('model.list').then(list => gone || setModels(list.models)));
    return () => {
      gone = true;
    };
  }, [endpoint]);
  return models;
}
