import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { type ErrorInfo, HostError } from '../shared/errors.ts';
import type { Handlers, Snapshot } from '../shared/ipc.ts';
import { Archive } from './archive/archive.ts';
import { backUp, prepareRestore, takeRestore } from './archive/backup.ts';
import { AdoptedTasks } from './chat/adoptedTasks.ts';
import { Branches } from './chat/branches.ts';
import { contextReport } from './chat/contextReport.ts';
import { whatModelSaw } from './chat/contextResult.ts';
import { Conversations } from './chat/conversations.ts';
import { Drafts } from './chat/drafts.ts';
import { GuideModel } from './chat/guide.ts';
import { recoverInterrupted } from './chat/interrupted.ts';
import { MessageQueue } from './chat/messageQueue.ts';
import { Sampler } from './chat/sampler.ts';
import { searchConversations } from './chat/search.ts';
import { Titles } from './chat/titles.ts';
import { Turns } from './chat/turn.ts';
import { Asks } from './consent/asks.ts';
import { AUDIT_FILE, AuditLog } from './consent/audit.ts';
import { ConversationGrants } from './consent/conversationGrants.ts';
import { Policy } from './consent/policy.ts';
import { openDatabase } from './database.ts';
import { HostEvents } from './events.ts';
import { ModelAccess } from './modelAccess.ts';
import { Network } from './network/network.ts';
import type { Ports } from './ports.ts';
import { ClientManager } from './servers/clientManager.ts';
import { ServersConfig } from './servers/config.ts';
import { hideSecrets } from './servers/messageSecrets.ts';
import { ServerOffers } from './servers/offers.ts';
import { expandTemplate } from './servers/resources.ts';
import type { Sample } from './servers/types.ts';
import { SettingsStore } from './settings.ts';
import { Registry } from './tools/registry.ts';

/** The requests that need a desktop, or the numbering of events: Electron answers those. */
type DesktopRequest = 'snapshot' | `app.${string}`;
export type HostHandlers = { [N in keyof Handlers as N extends DesktopRequest ? never : N]: Handlers[N] };

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
    compactAt: () => (settings.get().autoSummarise ? settings.get().summariseAt : undefined),
  });

  const queue = new MessageQueue({ db, turns, emit });
  const titles = new Titles({
    conversations,
    modelFor: chosen => model.current(chosen),
    isWanted: () => settings.get().nameConversations,
  });

  await manager.start();

  /** Ends what a person asked for and nobody waits for any more. */
  const closed = new AbortController();
  const handlers: HostHandlers = {
    'servers.add': ({ name, config }) => manager.add(name, config),
    'servers.update': async ({ name, newName, config }) => {
      await manager.update(name, config, newName);
      if (newName === undefined || newName === name) return;
      registry.renameServer(name, newName);
      grants.forgetServer(name);
    },
    'servers.remove': async ({ name }) => {
      await manager.remove(name);
      registry.forgetServer(name);
      grants.forgetServer(name);
    },
    'servers.setEnabled': ({ name, enabled }) => manager.setEnabled(name, enabled),
    'servers.restart': ({ name }) => manager.restart(name),
    'servers.signIn': ({ name }) => manager.signIn(name),
    'servers.signOut': ({ name }) => manager.signOut(name),
    'servers.forgetSecrets': ({ name }) => manager.forgetSecrets(name),
    'servers.importJson': async ({ text }) => ({ added: await manager.importJson(text) }),
    'servers.log': async ({ name, from = 0, until = Number.POSITIVE_INFINITY }) => ({
      entries: manager.logEntries(name).filter(({ at }) => at >= from && at <= until),
      level: manager.logLevel(name),
    }),
    'servers.followLog': async ({ name, follow }) => manager.followLog(name, follow),
    'servers.setLogLevel': ({ name, level }) => manager.setLogLevel(name, level),
    'servers.traffic': async ({ name }) => ({ entries: manager.traffic(name) }),
    'servers.followTraffic': async ({ name, follow }) => manager.followTraffic(name, follow),
    'servers.clearTraffic': async ({ name }) => manager.clearTraffic(name),

    'servers.offers': ({ name }) => offers.list(name),
    'resources.read': async ({ server, uri, refresh }) => ({
      contents: await offers.read(server, uri, { signal: closed.signal, refresh }),
    }),
    'resources.expand': async ({ uriTemplate, values }) => ({ uri: expandTemplate(uriTemplate, values) }),
    'resources.follow': ({ server, uri, follow }) => offers.follow(server, uri, follow),
    'prompts.get': ({ server, name, values }) =>
      offers.prompt(server, name, values, { signal: closed.signal }),
    'completion.complete': ({ server, ...question }) =>
      offers.complete(server, question, { signal: closed.signal }),

    'tools.setEnabled': async ({ server, tool, enabled }) => registry.setEnabled(server, tool, enabled),
    'tools.setRule': async ({ server, tool, rule }) => {
      registry.setRule(server, tool, rule ?? undefined, 'settings');
      grants.forgetTool(server, tool);
      audit.decided({ kind: 'rule', server, tool, decision: rule ?? 'none', by: 'person' });
    },
    'tools.setServerDefault': async ({ server, rule }) => {
      registry.setServerDefault(server, rule, 'settings');
      const readOnly = rule.allowReadOnly ? ', and allow what says that it only reads' : '';
      audit.decided({ kind: 'rule', server, decision: `${rule.rule}${readOnly}`, by: 'person' });
    },
    'rules.revokeInConversation': async ({ conversationId, server, tool }) => {
      grants.revoke(conversationId, server, tool);
      audit.decided({ kind: 'rule', server, tool, conversationId, decision: 'none', by: 'person' });
    },

    'conversations.create': async () => conversations.create(),
    'conversations.rename': async ({ conversationId, title }) => conversations.rename(conversationId, title),
    'conversations.delete': async ({ conversationId }) => {
      queue.discard(conversationId);
      await Promise.all([turns.stop(conversationId), adoptedTasks.stop(conversationId)]);
      conversations.delete(conversationId);
      grants.forgetConversation(conversationId);
    },
    'conversations.mark': async ({ conversationId, ...marks }) => conversations.mark(conversationId, marks),
    'conversations.configure': async ({ conversationId, settings }) =>
      conversations.configure(conversationId, settings),
    'conversations.search': async ({ query }) => searchConversations(db, conversations, query),
    'conversations.messages': async ({ conversationId, last }) =>
      conversations.messages(conversationId, last),
    'conversations.showMessage': async ({ conversationId, messageId }) => {
      turns.mustRest(conversationId);
      branches.show(conversationId, messageId);
    },
    'conversations.deleteFrom': async ({ conversationId, messageId }) => {
      turns.mustRest(conversationId);
      await adoptedTasks.stopOf(branches.from(conversationId, messageId));
      // One may have begun meanwhile.
      turns.mustRest(conversationId);
      branches.deleteFrom(conversationId, messageId);
    },
    'conversations.fork': async ({ conversationId, messageId }) => branches.fork(conversationId, messageId),

    'drafts.get': async ({ conversationId }) => drafts.get(conversationId),
    'drafts.save': async ({ conversationId, ...change }) => drafts.save(conversationId, change),

    'chat.send': ({ conversationId, text, attachments }) => queue.send(conversationId, text, attachments),
    'chat.edit': ({ conversationId, messageId, text, attachments }) =>
      turns.edit(conversationId, messageId, text, attachments),
    'chat.regenerate': ({ conversationId, messageId }) => turns.regenerate(conversationId, messageId),
    'chat.resume': ({ conversationId }) => turns.resume(conversationId),
    'chat.stop': ({ conversationId }) => turns.stop(conversationId),
    'chat.stopCall': async ({ conversationId, callId }) => {
      if (!turns.stopCall(conversationId, callId)) await adoptedTasks.stop(conversationId, callId);
    },

    'queue.remove': async ({ conversationId, id }) => queue.remove(conversationId, id),
    'queue.move': async ({ conversationId, id, to }) => queue.move(conversationId, id, to),
    'queue.sendNow': ({ conversationId, id }) => queue.sendNow(conversationId, id),
    'queue.goOn': ({ conversationId }) => queue.goOn(conversationId),
    'queue.discard': async ({ conversationId }) => queue.discard(conversationId),

    'chat.context': ({ conversationId, exact }) =>
      contextReport(
        {
          conversations,
          registry,
          manager,
          modelFor: chosen => model.current(chosen),
          prices: () => settings.get().prices,
        },
        conversationId,
        { exact },
        closed.signal,
      ),
    'chat.summarise': ({ conversationId, goOn }) => turns.summarise(conversationId, goOn),
    'chat.useSummary': async ({ conversationId, messageId, index, use }) => {
      turns.mustRest(conversationId);
      const message = conversations.messages(conversationId).find(({ id }) => id === messageId);
      const block = message?.blocks[index];
      if (!message || block?.type !== 'summary')
        throw new HostError('summary.unknown', 'This summary no longer exists.');
      const { undone: _was, ...summary } = block;
      conversations.setBlock(message, index, use ? summary : { ...summary, undone: true });
    },
    'chat.modelSaw': async ({ conversationId, messageId, index }) => {
      const message = conversations.messages(conversationId).find(({ id }) => id === messageId);
      return { text: whatModelSaw(message?.blocks[index]) };
    },

    'chat.setFullAuto': async ({ conversationId, on }) => {
      conversations.get(conversationId);
      grants.setFullAuto(conversationId, on);
      audit.decided({ kind: 'fullAuto', conversationId, decision: on ? 'on' : 'off', by: 'person' });
    },

    'asks.answer': async ({ id, answer }) => asks.answer(id, answer),
    'asks.declineAll': async ({ server, conversationId }) => asks.declineAll(server, conversationId),
    'asks.mute': async ({ server, conversationId, muted }) => {
      grants.setMuted(conversationId, server, muted);
      audit.decided({
        kind: 'mute',
        server,
        ...(conversationId === undefined ? {} : { conversationId }),
        decision: muted ? 'on' : 'off',
        by: 'person',
      });
      if (muted) asks.declineAll(server, conversationId);
    },

    'settings.update': async patch => {
      settings.update(patch);
      emit('model.changed', model.status());
    },
    'model.setKey': async ({ key, acceptPlain }) => model.setKey(key, acceptPlain),
    'model.clearKey': async () => model.clearKey(),
    'model.setHeaders': async ({ headers }) => model.setHeaders(headers),
    'model.list': () => model.list(),
    'model.choices': ({ model: name }) => model.choices(name),
    'model.test': () => model.test(),
  };

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
