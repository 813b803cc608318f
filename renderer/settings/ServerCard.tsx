import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ServerView } from '../../shared/servers.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Switch } from '../ui/Switch.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { ServerAbout } from './ServerAbout.tsx';
import styles from './ServerCard.module.css';
import { ServerLog } from './ServerLog.tsx';
import { ServerTools } from './ServerTools.tsx';
import { useAction } from './useAction.ts';
import { countWords, protocolWords, stateWords } from './words.ts';

type Panel = 'tools' | 'log' | 'about';

/** One server: how it is, what to do when it is not well, and behind three buttons everything else. */
export function ServerCard({ server, onEdit }: { server: ServerView; onEdit: () => void }) {
  const { name, state, config } = server;
  const [panel, setPanel] = useState<Panel>();
  const [removing, setRemoving] = useState(false);
  const { run, busy, error } = useAction();
  const notes = new Set(server.notes).size;
  const on = config.disabled !== true;
  const toggle = (which: Panel) => setPanel(panel === which ? undefined : which);
  return (
    <fieldset className={styles.card} aria-label={name}>
      <header className={styles.header}>
        <div className={styles.what}>
          <h2 className={styles.name}>
            <HiddenText text={name} />
          </h2>
          <p className={styles.facts}>
            <span className={styles.state} data-state={state}>
              <span className={styles.dot} aria-hidden="true" />
              {stateWords[state]}
            </span>
            {state === 'ready' && <span>{countWords(server.counts)}</span>}
            {state === 'ready' && <span>{protocolWords(server)}</span>}
            <span>{config.type === 'stdio' ? 'on this computer' : 'over HTTP'}</span>
          </p>
        </div>
        <Switch
          label={`Use ${name}`}
          hideLabel
          checked={on}
          disabled={busy}
          onChange={enabled => void run(() => request('servers.setEnabled', { name, enabled }))}
        />
      </header>

      {state === 'connecting' && server.activity && (
        <p className={styles.activity}>
          <HiddenText text={server.activity} />
        </p>
      )}
      {server.error && <Callout tone="danger" error={server.error} />}
      {error && <Callout tone="danger" error={error} />}

      <div className={styles.actions}>
        <Toggle panel="tools" open={panel} onToggle={toggle}>
          Tools
        </Toggle>
        {config.type === 'stdio' && (
          <Toggle panel="log" open={panel} onToggle={toggle}>
            {panel === 'log' ? 'Hide log' : 'Show log'}
          </Toggle>
        )}
        <Toggle panel="about" open={panel} onToggle={toggle}>
          {notes === 0 ? 'About' : `About (${notes} ${notes === 1 ? 'note' : 'notes'})`}
        </Toggle>
        <div className={styles.change}>
          <Button
            variant={state === 'failed' ? 'primary' : 'secondary'}
            size="small"
            disabled={busy || !on}
            onClick={() => void run(() => request('servers.restart', { name }))}
          >
            Restart
          </Button>
          <Button size="small" onClick={onEdit}>
            Edit
          </Button>
          <Button size="small" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        </div>
      </div>

      {panel === 'tools' && <ServerTools server={name} />}
      {panel === 'log' && <ServerLog name={name} />}
      {panel === 'about' && <ServerAbout server={server} />}
      {removing && <RemoveDialog name={name} onClose={() => setRemoving(false)} />}
    </fieldset>
  );
}

interface ToggleProps {
  panel: Panel;
  open: Panel | undefined;
  onToggle(panel: Panel): void;
  children: string;
}

function Toggle({ panel, open, onToggle, children }: ToggleProps) {
  return (
    <Button variant="ghost" size="small" aria-expanded={open === panel} onClick={() => onToggle(panel)}>
      {open === panel ? (
        <ChevronDown size={14} aria-hidden="true" />
      ) : (
        <ChevronRight size={14} aria-hidden="true" />
      )}
      {children}
    </Button>
  );
}
