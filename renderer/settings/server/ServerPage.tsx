import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ServerView } from '../../../shared/servers.ts';
import { HiddenText } from '../../asks/HiddenText.tsx';
import { go, openServer } from '../../stores/app.ts';
import { Button } from '../../ui/Button.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { MutedHere } from '../MutedHere.tsx';
import screen from '../Screen.module.css';
import { ServerActions } from '../ServerActions.tsx';
import { ServerHead } from '../ServerHead.tsx';
import styles from './ServerPage.module.css';
import { serverTabs } from './serverTabs.tsx';

/** Everything about one server. */
export function ServerPage({ server, tab }: { server: ServerView; tab: string }) {
  const { name } = server;
  const heading = useRef<HTMLHeadingElement>(null);
  // Whoever came here by keyboard goes on from here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each server
  useEffect(() => heading.current?.focus(), [name]);
  const tabs = serverTabs.filter(({ isShown }) => isShown?.(server) ?? true);
  const shown = tabs.some(({ value }) => value === tab) ? tab : 'overview';
  return (
    <section className={screen.screen} aria-label={name}>
      <div className={styles.bar}>
        <Button variant="ghost" size="small" onClick={() => go('servers')}>
          <ArrowLeft size={14} aria-hidden="true" /> All servers
        </Button>
        <ServerActions server={server} />
      </div>
      <ServerHead server={server}>
        <h1 ref={heading} tabIndex={-1} className={styles.name}>
          <HiddenText text={name} />
        </h1>
      </ServerHead>
      <MutedHere server={name} />
      <Tabs
        label={`About ${name}`}
        value={shown}
        onChange={value => openServer(name, value)}
        tabs={tabs.map(({ value, label, Content }) => ({
          value,
          label: label(server),
          content: <Content key={name} server={server} />,
        }))}
      />
    </section>
  );
}
