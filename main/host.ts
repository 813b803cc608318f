import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { ErrorInfo } from '../shared/errors.ts';
import type { Snapshot } from '../shared/ipc.ts';
import { Archive } from './archive/archive.ts';
import { backUp, prepareRestore, takeRestore } from './archive/backup.ts';
import { AdoptedTasks } from './chat/adoptedTasks.ts';
import { Branches } from './chat/branches.ts';
import { Conversations } from './chat/conversations.ts';
import { Drafts } from './chat/drafts.ts';
import { GuideModel } from './chat/guide.ts';
import { recoverInterrupted } from './chat/interrupted.ts';
import { MessageQueue } from './chat/messageQueue.ts';
import { Pictures } from './chat/pictures.ts';
import { Sampler } from './chat/sampler.ts';
import { Titles } from './chat/titles.ts';
import { Turns } from './chat/turn.ts';
import { Asks } from './consent/asks.ts';
import { AUDIT_FILE, AuditLog } from './consent/audit.ts';
import { ConversationGrants } from './consent/conversationGrants.ts';
import { Policy } from './consent/policy.ts';
import { openDatabase } from './database.ts';
import { HostEvents } from './events.ts';
import { hostHandlers } from './hostHandlers.ts';
import { ModelAccess } from './modelAccess.ts';
import { Network } from './network/network.ts';
import type { Ports } from './ports.ts';
import { ClientManager } from './servers/clientManager.ts';
import { ServersConfig } from './servers/config.ts';
import { hideSecrets } from './servers/messageSecrets.ts';
import { ServerOffers } from './servers/offers.ts';
import type { Sample } from './servers/types.ts';
import { SettingsStore } from './settings.ts';
import { Registry } from './tools/registry.ts';

/** The host: its rooms, what it answers, and what it tells. Started; servers may still be connecting. */
export type Host = Awaited<ReturnType<typeof createHost>>;

/** Composes the host. Everything that outlives this call ends with `close()`. */
export async function createHost(ports: Ports) {
  mkdirSync(ports.dataDir, { recursive: true });
  const events = new HostEvents();
  const { emit } = events;
  const problems: ErrorInfo[] = [];
  events.on(event => event.name === 'problem' && problems.push(event.payload));

  const databaseFile = join(ports.dataDir, 'parley.db');
  const serversFile = ports.serversFile ?? join(ports.dataDir, 'servers.json');
  if (!ports.serversFile && !existsSync(databaseFile)) welcomeNewcomer(serversFile);
  const replaced = takeRestore(databaseFile);
  if (replaced) emit('problem', restored(replaced));
  const db = openDatabase(databaseFile, problem => emit('problem', problem));
  const settings = new SettingsStore(join(ports.dataDir, 'settings.json'), emit);
  const policy = new Policy(db);
  const grants = new ConversationGrants(emit);
  const audit: AuditLog = new AuditLog(join(ports.dataDir, AUDIT_FILE), {
    emit,
    hide: (text, server) =>
      hideSecrets(text, {
        isCut: false,
        redact: part => (server && manager.connection(server)?.redact(part)) ?? part,
      }),
  });
  const asks = new Asks(emit, {
    journal: audit,
    isMuted: (conversationId, server) => grants.isMuted(conversationId, server),
  });

  const network = new Network(ports);
  const config = new ServersConfig(serversFile);
  const sample: Sample = (request, signal) => sampler.sample(request, signal);
  const manager: ClientManager = new ClientManager({
    ports,
    send: network.send,
    config,
    asks,
    sample,
    db,
    emit,
    recordsTraffic: () => settings.get().recordTraffic,
  });
  const offers = new ServerOffers(manager);
  const registry = new Registry({ manager, policy, db, emit });

  const conversations = new Conversations(db, emit);
  recoverInterrupted(db, conversations, emit);
  const branches = new Branches({ db, conversations, emit });
  const drafts = new Drafts(db);
  const archive = new Archive(db, conversations);
  const guide = new GuideModel({ registry, asks });
  const model = new ModelAccess({ ports, settings, guide, emit });
  const sampler = new Sampler({ asks, model });
  const adoptedTasks = new AdoptedTasks({ db, conversations, manager });
  const turns = new Turns({
    conversations,
    registry,
    policy,
    grants,
    asks,
    audit,
    manager,
    emit,
    modelFor: chosen => model.current(chosen),
    toolSearch: () => settings.get().toolSearch,
    compactAt: () => (settings.get().autoSummarise ? settings.get().summariseAt : undefined),
  });

  const queue = new MessageQueue({ db, turns, emit });
  const titles = new Titles({
    conversations,
    modelFor: chosen => model.current(chosen),
    isWanted: () => settings.get().nameConversations,
  });

  const pictures = new Pictures({
    send: network.sendOutside,
    alwaysFrom: () => settings.get().pictureHosts,
  });

  await manager.start();

  /** Ends what a person asked for and nobody waits for any more. */
  const closed = new AbortController();
  const handlers = hostHandlers({
    db,
    emit,
    closed: closed.signal,
    manager,
    offers,
    registry,
    conversations,
    branches,
    drafts,
    turns,
    adoptedTasks,
    queue,
    asks,
    grants,
    audit,
    pictures,
    settings,
    model,
  });

  const snapshot = (): Omit<Snapshot, 'seq'> => ({
    servers: manager.views(),
    serversFile: { path: config.path, ...(config.error ? { error: config.error } : {}) },
    tools: registry.list(),
    conversations: conversations.list(),
    turns: turns.states(),
    queues: queue.list(),
    asks: asks.pending(),
    rules: policy.list(),
    conversationRules: grants.list(),
    settings: settings.get(),
    model: model.status(),
    problems,
    app: { version: ports.version, dataDir: ports.dataDir },
  });

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      closed.abort();
      // Before the questions end: those of tasks must not be answered by that.
      const ended = Promise.all([turns.close(), adoptedTasks.close(), titles.close()]);
      asks.close();
      await ended;
      await manager.close();
      await network.close();
      registry.close();
      grants.close();
      audit.flush();
      await config.close();
      db.close();
    })();
    return closing;
  };

  return {
    events,
    handlers,
    snapshot,
    close,
    /** After a sleep of the machine, or in another network. */
    wakeUp() {
      network.renew();
      manager.wakeUp();
    },
    adoptTasks: () => adoptedTasks.adopt(),
    /** From now on the model names conversations, where a person looks at their list. */
    nameConversations() {
      events.on(event => {
        if (event.name === 'turn.changed' && event.payload.phase === 'idle')
          void titles.consider(event.payload.conversationId);
      });
    },
    asks,
    audit,
    policy,
    grants,
    manager,
    offers,
    registry,
    conversations,
    archive,
    backUp: (file: string) => backUp(db, file),
    prepareRestore: (file: string) => prepareRestore(file, databaseFile),
    turns,
    settings,
    model,
  };
}

function restored(replaced: string): ErrorInfo {
  return {
    code: 'database.restored',
    message: 'The backup is in place.',
    hint: `What was there before is kept: ${replaced}.`,
  };
}

/** On the very first start a newcomer finds the sample server, ready to try; from then on it is theirs to remove. */
export function welcomeNewcomer(serversFile: string): void {
  if (existsSync(serversFile)) return;
  mkdirSync(dirname(serversFile), { recursive: true });
  const first = { mcpServers: { sample: { command: SAMPLE_SERVER } } };
  writeFileAtomic.sync(serversFile, `${JSON.stringify(first, null, 2)}\n`, { mode: 0o600 });
}

/** The word in servers.json that stands for the server that comes with Parley; see `Ports.bundledCommands`. */
export const SAMPLE_SERVER = 'parley-sample-server';
