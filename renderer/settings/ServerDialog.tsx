import { useState } from 'react';
import type { ServerConfig, ServerView } from '../../shared/servers.ts';
import { request } from '../stores/host.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import { type ImportedServer, importText } from './importJson.ts';
import { PasteForm } from './PasteForm.tsx';
import { Review } from './Review.tsx';
import { ServerForm } from './ServerForm.tsx';
import { draftOf, emptyDraft, runsAnew, type ServerDraft } from './serverDraft.ts';
import { useAction } from './useAction.ts';

interface Props {
  /** The names in use. */
  names: readonly string[];
  /** The server to edit; without it one is added. */
  server?: ServerView;
  onClose(): void;
}

type Way = ServerDraft['type'] | 'paste';

/** What waits for the person's consent, and how to go on. */
interface Pending {
  servers: ImportedServer[];
  save(disabled: boolean): Promise<unknown>;
}

/**
 * Adds or edits a server. Nothing that would run a program is saved before the person has seen exactly what it is
 * (specification, security best practices: local server compromise).
 */
export function ServerDialog({ names, server, onClose }: Props) {
  const [way, setWay] = useState<Way>(server?.config.type ?? 'stdio');
  const [drafts, setDrafts] = useState<Record<ServerDraft['type'], ServerDraft>>(() => ({
    stdio: server?.config.type === 'stdio' ? draftOf(server) : emptyDraft('stdio'),
    http: server?.config.type === 'http' ? draftOf(server) : emptyDraft('http'),
  }));
  const [pasted, setPasted] = useState('');
  const [pending, setPending] = useState<Pending>();
  const saving = useAction();

  const finish = async (work: () => Promise<unknown>) => {
    if (await saving.run(work)) onClose();
  };
  const save = (name: string, config: ServerConfig) => {
    const store = (final: ServerConfig) =>
      server
        ? request('servers.update', {
            name: server.name,
            config: final,
            ...(name === server.name ? {} : { newName: name }),
          })
        : request('servers.add', { name, config: final });
    if (!runsAnew(config, server?.config)) return void finish(() => store(config));
    setPending({
      servers: [{ name, config, ignored: [] }],
      save: disabled => store(disabled ? { ...config, disabled } : config),
    });
  };
  const importAll = (servers: ImportedServer[]) =>
    setPending({
      servers,
      save: disabled => request('servers.importJson', { text: importText(servers, disabled) }),
    });

  const title = server ? `Edit ${server.name}` : 'Add a server';
  if (pending)
    return (
      <Dialog title={server ? 'Before it runs' : 'Before it is added'} onClose={onClose} wide>
        <Review
          servers={pending.servers}
          editing={server !== undefined}
          saving={saving}
          onBack={() => {
            saving.clear();
            setPending(undefined);
          }}
          onSave={disabled => void finish(() => pending.save(disabled))}
        />
      </Dialog>
    );

  const form = (type: ServerDraft['type']) => (
    <ServerForm
      draft={drafts[type]}
      onChange={draft => setDrafts({ ...drafts, [type]: draft })}
      taken={names.filter(name => name !== server?.name)}
      before={server?.config}
      saving={saving}
      onCancel={onClose}
      onSave={save}
    />
  );
  return (
    <Dialog title={title} onClose={onClose} wide>
      {server ? (
        form(server.config.type)
      ) : (
        <Tabs
          label="Kind of server"
          value={way}
          onChange={value => setWay(value as Way)}
          tabs={[
            { value: 'stdio', label: 'On this computer', content: form('stdio') },
            { value: 'http', label: 'By URL', content: form('http') },
            {
              value: 'paste',
              label: 'Paste JSON',
              content: (
                <PasteForm
                  text={pasted}
                  onChange={setPasted}
                  names={names}
                  onCancel={onClose}
                  onNext={importAll}
                />
              ),
            },
          ]}
        />
      )}
    </Dialog>
  );
}
