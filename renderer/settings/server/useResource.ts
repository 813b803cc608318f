import { useCallback, useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../../shared/errors.ts';
import type { ResourceContents } from '../../../shared/offers.ts';
import { request } from '../../stores/host.ts';
import { useUpdateCount } from '../../stores/resources.ts';

/** A resource as it was read last; read again when it changes while it is followed, or when `refresh` is called. */
export function useResource(server: string, uri: string) {
  const [contents, setContents] = useState<ResourceContents[]>();
  const [error, setError] = useState<ErrorInfo>();
  const [readAt, setReadAt] = useState<number>();
  const [attempt, setAttempt] = useState(0);
  const updates = useUpdateCount(server, uri);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each update and each wish is a reason to read again
  useEffect(() => {
    let wanted = true;
    request('resources.read', { server, uri, ...(attempt > 0 ? { refresh: true } : {}) }).then(
      result => {
        if (!wanted) return;
        setContents(result.contents);
        setReadAt(Date.now());
        setError(undefined);
      },
      (reason: unknown) => wanted && setError(toErrorInfo(reason)),
    );
    return () => {
      wanted = false;
    };
  }, [server, uri, updates, attempt]);
  return { contents, error, readAt, refresh: useCallback(() => setAttempt(before => before + 1), []) };
}
