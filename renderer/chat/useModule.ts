import { useEffect, useState } from 'react';
import { act } from '../stores/app.ts';

const loaded = new Map<() => Promise<unknown>, unknown>();

/** A module that is loaded on demand: undefined until it is there, there at once from then on. */
export function useModule<Module>(load: () => Promise<Module>): Module | undefined {
  const [, setIsLoaded] = useState(false);
  const module = loaded.get(load) as Module | undefined;
  useEffect(() => {
    if (loaded.has(load)) return;
    let gone = false;
    act(
      load().then(arrived => {
        loaded.set(load, arrived);
        if (!gone) setIsLoaded(true);
      }),
    );
    return () => {
      gone = true;
    };
  }, [load]);
  return module;
}
