import { useEffect, useState } from 'react';
import type { Completion, CompletionRef, TextArguments } from '../../../shared/offers.ts';
import { request } from '../../stores/host.ts';

/** A pause in typing after which a server is asked. */
const PAUSE_MS = 200;
const NONE: Completion = { values: [], hasMore: false };

/** Suggestions of a server for an argument while `active`; none where it fails: they are only a help. */
export function useCompletion(
  { server, completes, of }: { server: string; completes: boolean; of: CompletionRef },
  name: string,
  values: TextArguments,
  active: boolean,
): Completion {
  const [found, setFound] = useState(NONE);
  const { [name]: value = '', ...others } = values;
  const question = JSON.stringify({
    server,
    ref: of,
    argument: { name, value },
    context: Object.fromEntries(Object.entries(others).filter(([, text]) => text !== '')),
  });
  useEffect(() => {
    if (!completes || !active) return;
    let wanted = true;
    const timer = setTimeout(() => {
      request('completion.complete', JSON.parse(question)).then(
        completion => wanted && setFound(completion),
        () => wanted && setFound(NONE),
      );
    }, PAUSE_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [question, completes, active]);
  return active ? found : NONE;
}
