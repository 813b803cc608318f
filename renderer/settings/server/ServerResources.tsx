import { useState } from 'react';
import type { TemplateInfo } from '../../../shared/offers.ts';
import type { ServerView } from '../../../shared/servers.ts';
import { request } from '../../stores/host.ts';
import { Callout } from '../../ui/Callout.tsx';
import { sizeInWords } from '../../ui/media.ts';
import { TextField } from '../../ui/TextField.tsx';
import { useAction } from '../useAction.ts';
import { ArgumentFields } from './ArgumentFields.tsx';
import { OfferRow } from './OfferRow.tsx';
import styles from './Offers.module.css';
import { ResourceReader } from './ResourceReader.tsx';
import { useOffers } from './useOffers.ts';

/** From how many on a search is worth its place. */
const MANY = 8;

/** The resources and templates of one server. One that is opened is read; nothing else reads it. */
export function ServerResources({ server }: { server: ServerView }) {
  const { offers, error } = useOffers(server);
  const [sought, setSought] = useState('');
  const [followed, setFollowed] = useState<ReadonlyMap<string, boolean>>(new Map());
  if (error) return <Callout error={error} />;
  if (!offers) return <p className={styles.empty}>Asking the server…</p>;
  const { resources, templates, canFollow } = offers;
  if (resources.length + templates.length === 0)
    return <p className={styles.empty}>No resources are known of this server.</p>;
  const matches = ({ name, title = '', uri }: { name: string; title?: string | undefined; uri: string }) =>
    `${name} ${title} ${uri}`.toLowerCase().includes(sought.toLowerCase());
  const found = resources.filter(matches);
  const followOf = (uri: string) =>
    canFollow
      ? {
          on: followed.get(uri) ?? offers.followed.includes(uri),
          onChange: async (on: boolean) => {
            await request('resources.follow', { server: server.name, uri, follow: on });
            setFollowed(before => new Map(before).set(uri, on));
          },
        }
      : undefined;
  return (
    <div className={styles.offers}>
      {resources.length >= MANY && (
        <TextField
          label={`Search ${resources.length} resources`}
          type="search"
          value={sought}
          onChange={setSought}
        />
      )}
      {resources.length > 0 && found.length === 0 && (
        <p className={styles.empty}>No resource has “{sought}” in its name or address.</p>
      )}
      <ul className={styles.list} aria-label="Resources">
        {found.map(({ uri, name, title, description, mimeType, size, annotations, icons }) => (
          <OfferRow
            key={uri}
            title={title ?? name}
            name={uri}
            description={description}
            facts={[mimeType, size === undefined ? undefined : sizeInWords(size)]}
            annotations={annotations}
            icons={icons}
          >
            <ResourceReader server={server.name} uri={uri} follow={followOf(uri)} />
          </OfferRow>
        ))}
      </ul>
      {templates.length > 0 && (
        <section className={styles.offers}>
          <h2 className={styles.title}>Templates</h2>
          <ul className={styles.list} aria-label="Templates">
            {templates.map(template => (
              <OfferRow
                key={template.uriTemplate}
                title={template.title ?? template.name}
                name={template.uriTemplate}
                description={template.description}
                facts={[template.mimeType]}
                annotations={template.annotations}
                icons={template.icons}
              >
                <Template
                  server={server.name}
                  template={template}
                  completes={offers.canComplete}
                  followOf={followOf}
                />
              </OfferRow>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface TemplateProps {
  server: string;
  template: TemplateInfo;
  completes: boolean;
  followOf(uri: string): Parameters<typeof ResourceReader>[0]['follow'];
}

function Template({ server, template: { uriTemplate, variables }, completes, followOf }: TemplateProps) {
  const [uri, setUri] = useState<string>();
  const { run, busy, error } = useAction();
  return (
    <>
      <ArgumentFields
        about={{ server, completes, of: { type: 'resource', uri: uriTemplate } }}
        fields={variables.map(name => ({ name, label: name, required: false }))}
        action="Read"
        busy={busy}
        onSend={values =>
          void run(async () => setUri((await request('resources.expand', { uriTemplate, values })).uri))
        }
      />
      {error && <Callout error={error} />}
      {uri !== undefined && <ResourceReader key={uri} server={server} uri={uri} follow={followOf(uri)} />}
    </>
  );
}
