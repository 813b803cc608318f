import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useApp } from '../stores/app.ts';
import { request } from '../stores/host.ts';
import { useServers } from '../stores/servers.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import styles from './Screen.module.css';
import { ServerCard } from './ServerCard.tsx';
import { ServerDialog } from './ServerDialog.tsx';
import { ServerPage } from './server/ServerPage.tsx';
import { useAction } from './useAction.ts';

/** All servers, or the page of one of them. */
export function ServersScreen() {
  const open = useApp(state => state.server);
  const server = useServers(({ servers }) => servers.find(({ name }) => name === open?.name));
  return open && server ? <ServerPage server={server} tab={open.tab} /> : <ServerList />;
}

/** The servers, how they are, and where they are kept. */
function ServerList() {
  const servers = useServers(state => state.servers);
  const file = useServers(state => state.file);
  const [adding, setAdding] = useState(false);
  const opening = useAction();
  const openFile = () => void opening.run(() => request('app.openServersFile'));
  const names = servers.map(({ name }) => name);
  return (
    <div className={styles.screen}>
      <header className={styles.header}>
        <div>
          <h1>Servers</h1>
          <p className={styles.lead}>
            Programs and services that give the model tools. They see what their tools are called with.
          </p>
        </div>
        <Button variant="primary" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden="true" /> Add server
        </Button>
      </header>

      {file.error && (
        <Callout tone="danger" title="servers.json cannot be used" error={file.error}>
          <Button onClick={openFile}>Open file</Button>
        </Callout>
      )}
      {opening.error && <Callout tone="danger" error={opening.error} />}

      {servers.length === 0 ? (
        <div className={styles.empty}>
          <p>No servers yet.</p>
          <p>
            Add a program on this computer, a service on the network, or paste what a server's own
            instructions give you.
          </p>
        </div>
      ) : (
        <ul className={styles.list}>
          {servers.map(server => (
            <li key={server.name}>
              <ServerCard server={server} />
            </li>
          ))}
        </ul>
      )}

      <footer className={styles.footer}>
        <span>
          Kept in <code>{file.path}</code>
        </span>
        {!file.error && (
          <Button variant="ghost" onClick={openFile}>
            Open file
          </Button>
        )}
      </footer>

      {adding && <ServerDialog names={names} onClose={() => setAdding(false)} />}
    </div>
  );
}
