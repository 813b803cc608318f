import { useEffect, useState } from 'react';
import type { Offers } from '../../shared/offers.ts';
import { request } from '../stores/host.ts';
import { useServers } from '../stores/servers.ts';

/** What all ready servers offer, asked for while `active`; a server that does not answer offers nothing. */
export function useServerOffers(active: boolean): { server: string; offers: Offers }[] | undefined {
  const servers = useServers(state => state.servers);
  const ready = JSON.stringify(servers.filter(({ state }) => state === 'ready').map(({ name }) => name));
  const [found, setFound] = useState<{ server: string; offers: Offers }[]>();
  useEffect(() => {
    if (!active) return;
    let wanted = true;
    const names = JSON.parse(ready) as string[];
    const asked = names.map(async name => ({
      server: name,
      offers: await request('servers.offers', { name }),
    }));
    void Promise.allSettled(asked).then(results => {
      if (!wanted) return;
      setFound(results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])));
    });
    return () => {
      wanted = false;
    };
  }, [active, ready]);
  return found;
}
