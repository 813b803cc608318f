import type { ReactNode } from 'react';
import type { EraReason, ServerView } from '../../../shared/servers.ts';
import { Clipped } from '../../asks/Clipped.tsx';
import { HiddenText } from '../../asks/HiddenText.tsx';
import { Link } from '../../chat/Link.tsx';
import { ServerIcon } from '../../ui/ServerIcon.tsx';
import { RunDetails } from '../RunDetails.tsx';
import { capabilityWords } from './capabilities.ts';
import styles from './Overview.module.css';

/** Why it is taken for one of that era. */
const REASONS: Readonly<Record<EraReason, string>> = {
  pinned: 'Its settings allow only this era.',
  remembered: 'Known from an earlier start, so that it was not asked again.',
  discovered: 'Found out: it answered the question of the modern era (server/discover).',
  discoveredLate: 'Found out: it answered the question of the modern era (server/discover), though slowly.',
  undiscovered: 'Found out: it did not answer the question of the modern era (server/discover).',
  ended:
    'Found out: it ended when it was asked the question of the modern era (server/discover), and was started again.',
  transport: 'The old HTTP+SSE transport, which it is reached over, knows no other.',
};

/** What a server says of itself, which protocol it speaks, what was odd about it, and how it is reached. */
export function Overview({ server }: { server: ServerView }) {
  const { instructions, notes, config } = server;
  return (
    <div className={styles.overview}>
      <About server={server} />
      <Notes notes={[...new Set(notes)]} />
      {instructions && (
        <Section title="Instructions, in the server's words">
          <p className={styles.hint}>The model reads them, marked as this server's.</p>
          <blockquote className={styles.quote}>
            <Clipped>
              <HiddenText text={instructions} />
            </Clipped>
          </blockquote>
        </Section>
      )}
      <Section title={config.type === 'stdio' ? 'What runs' : 'Where it is'}>
        <RunDetails config={config} />
      </Section>
    </div>
  );
}

function About({
  server: { era, eraReason, protocolVersion, serverInfo, capabilities },
}: {
  server: ServerView;
}) {
  const can = capabilityWords(capabilities ?? {});
  return (
    <dl className={styles.facts}>
      {serverInfo && (
        <Fact label="Calls itself">
          <ServerIcon icons={serverInfo.icons} /> <HiddenText text={serverInfo.title ?? serverInfo.name} />
          {serverInfo.version && (
            <>
              {' '}
              · version <HiddenText text={serverInfo.version} />
            </>
          )}
          {serverInfo.title && (
            <>
              {' '}
              ·{' '}
              <code>
                <HiddenText text={serverInfo.name} />
              </code>
            </>
          )}
        </Fact>
      )}
      {serverInfo?.description && (
        <Fact label="Describes itself">
          <HiddenText text={serverInfo.description} />
        </Fact>
      )}
      {serverInfo?.websiteUrl && (
        <Fact label="Website">
          <Link href={serverInfo.websiteUrl} text={serverInfo.websiteUrl}>
            <HiddenText text={serverInfo.websiteUrl} />
          </Link>
        </Fact>
      )}
      {protocolVersion && (
        <Fact label="Protocol">
          MCP <HiddenText text={protocolVersion} /> ·{' '}
          {era === 'legacy' ? 'legacy era: begins with a handshake' : 'modern era: each request stands alone'}
          {eraReason && <p className={styles.hint}>{REASONS[eraReason]}</p>}
        </Fact>
      )}
      {can.length > 0 && (
        <Fact label="Offers">
          <ul className={styles.chips}>
            {can.map(words => (
              <li key={words}>
                <HiddenText text={words} />
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  );
}

function Notes({ notes }: { notes: string[] }) {
  if (notes.length === 0) return null;
  return (
    <Section title="Notes">
      <ul className={styles.notes}>
        {notes.map(note => (
          <li key={note}>
            <HiddenText text={note} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  );
}
