import { useEffect, useState } from 'react';
import type { Offers, TemplateInfo } from '../../shared/offers.ts';
import { request } from '../stores/host.ts';
import { useServers } from '../stores/servers.ts';

/** A resource that can be attached, or a template that has to be filled in first. */
export interface ResourceOption {
  server: string;
  title: string;
  /** Of a template: as it is written. */
  address: string;
  template?: { info: TemplateInfo; completes: boolean };
}

/** What all ready servers offer, asked for while `active`; a server that does not answer offers nothing. */
export function useResourceOptions(active: boolean): ResourceOption[] | undefined {
  const servers = useServers(state => state.servers);
  const ready = JSON.stringify(servers.filter(({ state }) => state === 'ready').map(({ name }) => name));
  const [options, setOptions] = useState<ResourceOption[]>();
  useEffect(() => {
    if (!active) return;
    let wanted = true;
    const names = JSON.parse(ready) as string[];
    const asked = names.map(async name => optionsOf(name, await request('servers.offers', { name })));
    void Promise.allSettled(asked).then(results => {
      if (!wanted) return;
      setOptions(results.flatMap(result => (result.status === 'fulfilled' ? result.value : [])));
    });
    return () => {
      wanted = false;
    };
  }, [active, ready]);
  return options;
}

function optionsOf(server: string, { resources, templates, canComplete }: Offers): ResourceOption[] {
  return [
    ...resources.map(({ uri, name, title }) => ({ server, title: title ?? name, address: uri })),
    ...templates.map(info => ({
      server,
      title: info.title ?? info.name,
      address: info.uriTemplate,
      template: { info, completes: canComplete },
    })),
  ];
}
