import { useEffect, useState } from 'react';
import { type ErrorInfo, toErrorInfo } from '../../../shared/errors.ts';
import type { Offers } from '../../../shared/offers.ts';
import type { ServerView } from '../../../shared/servers.ts';
import { request } from '../../stores/host.ts';

/** What a server offers beside tools, asked for again whenever something about the server changes. */
export function useOffers(server: ServerView): { offers: Offers | undefined; error: ErrorInfo | undefined } {
  const [offers, setOffers] = useState<Offers>();
  const [error, setError] = useState<ErrorInfo>();
  useEffect(() => {
    let wanted = true;
    request('servers.offers', { name: server.name }).then(
      found => {
        if (!wanted) return;
        setOffers(found);
        setError(undefined);
      },
      (reason: unknown) => wanted && setError(toErrorInfo(reason)),
    );
    return () => {
      wanted = false;
    };
  }, [server]);
  return { offers, error };
}
