import { Bot, PanelLeft, Server, Shield, SquarePen } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { GUIDE } from '../../shared/settings.ts';
import { needsSignIn } from '../settings/words.ts';
import { go, NARROW, type Route, useApp } from '../stores/app.ts';
import { runCommand } from '../stores/commands.ts';
import { useConversations } from '../stores/conversations.ts';
import { useRules } from '../stores/rules.ts';
import { useServers } from '../stores/servers.ts';
import { useSettings } from '../stores/settings.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { ConversationList } from './ConversationList.tsx';
import { SearchField, SearchResults } from './Search.tsx';
import styles from './Sidebar.module.css';

/** Conversations, and the way to the other screens. Collapses to icons. */
export function Sidebar() {
  const open = useApp(state => state.sidebar);
  useEffect(() => {
    // Where there is little room, the open sidebar lies over the screen: it is closed until it is wanted.
    const narrow = window.matchMedia(NARROW);
    const adapt = () => useApp.setState({ sidebar: !narrow.matches });
    adapt();
    narrow.addEventListener('change', adapt);
    return () => narrow.removeEventListener('change', adapt);
  }, []);
  return (
    <aside className={styles.sidebar} data-open={open}>
      <div className={styles.top}>
        <IconButton
          label={open ? 'Hide conversations' : 'Show conversations'}
          aria-expanded={open}
          onClick={() => useApp.setState({ sidebar: !open })}
        >
          <PanelLeft size={18} aria-hidden="true" />
        </IconButton>
        <button
          type="button"
          className={styles.new}
          aria-label="New conversation"
          title="New conversation"
          onClick={() => runCommand('newConversation')}
        >
          <SquarePen size={16} aria-hidden="true" />
          <span className={styles.word}>New conversation</span>
        </button>
      </div>
      {open && <Conversations />}
      <nav className={styles.screens} aria-label="Screens">
        <Entry
          route="servers"
          name="Servers"
          icon={<Server size={16} aria-hidden="true" />}
          detail={<ServerCounts />}
        />
        <Entry
          route="rules"
          name="Rules"
          icon={<Shield size={16} aria-hidden="true" />}
          detail={<RuleCount />}
        />
        <Entry
          route="model"
          name="Model"
          icon={<Bot size={16} aria-hidden="true" />}
          detail={<ModelName />}
        />
      </nav>
    </aside>
  );
}

/** The list, or what was found in it. */
function Conversations() {
  const [query, setQuery] = useState('');
  const listed = useConversations(state => state.conversations.length > 0);
  return (
    <>
      {listed && <SearchField query={query} onChange={setQuery} />}
      <div className={styles.list}>
        {query.trim() === '' ? <ConversationList /> : <SearchResults query={query} />}
      </div>
    </>
  );
}

function Entry({
  route,
  name,
  icon,
  detail,
}: {
  route: Route;
  name: string;
  icon: ReactNode;
  detail: ReactNode;
}) {
  const current = useApp(state => state.route === route);
  return (
    <button
      type="button"
      className={styles.entry}
      aria-label={name}
      aria-current={current ? 'page' : undefined}
      title={name}
      onClick={() => go(current ? 'chat' : route)}
    >
      {icon}
      <span className={styles.word}>{name}</span>
      <span className={styles.detail}>{detail}</span>
    </button>
  );
}

function ServerCounts() {
  const servers = useServers(state => state.servers);
  const broken = useServers(state => state.file.error !== undefined);
  const ready = servers.filter(({ state }) => state === 'ready').length;
  const waiting = servers.filter(needsSignIn).length;
  const failed = servers.filter(server => server.state === 'failed' && !needsSignIn(server)).length;
  if (broken) return <span className={styles.failed}>file broken</span>;
  return (
    <>
      {ready} ready
      {waiting > 0 && `, ${waiting} to sign in`}
      {failed > 0 && <span className={styles.failed}>, {failed} failed</span>}
    </>
  );
}

function RuleCount() {
  const count = useRules(({ rules }) => rules.length);
  return count === 0 ? null : count;
}

function ModelName() {
  const model = useSettings(state => state.model.model);
  return model === GUIDE ? 'Guide' : model;
}
