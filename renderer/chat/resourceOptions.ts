import type { Offers, TemplateInfo } from '../../shared/offers.ts';

/** A resource that can be attached, or a template that has to be filled in first. */
export interface ResourceOption {
  server: string;
  title: string;
  /** Of a template: as it is written. */
  address: string;
  template?: { info: TemplateInfo; completes: boolean };
}

/** What of a server can be attached. */
export function resourceOptions(
  server: string,
  { resources, templates, canComplete }: Offers,
): ResourceOption[] {
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
