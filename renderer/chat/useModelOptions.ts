import { useEffect, useState } from 'react';
import { GUIDE, type ModelList } from '../../shared/settings.ts';
import { act } from '../stores/app.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';

/** Who can answer, to choose from: the endpoint's models, the one that is chosen, and the Guide. */
export function useModelOptions(chosen: string): { value: string; label: string }[] {
  const status = useSettings(state => state.model);
  const models = useModels(`${status.baseUrl} ${status.key} ${status.headers.join()}`);
  const known = models.some(({ id }) => id === chosen) || chosen === GUIDE;
  return [
    ...(known ? [] : [{ value: chosen, label: chosen }]),
    ...models.map(({ id, name }) => ({ value: id, label: name })),
    { value: GUIDE, label: 'Guide: no language model' },
  ];
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
