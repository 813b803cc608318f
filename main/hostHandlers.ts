import { HostError } from '../shared/errors.ts';
import type { Handlers } from '../shared/ipc.ts';
import { resultOf, textOfPart } from './chat/abridged.ts';
import type { AdoptedTasks } from './chat/adoptedTasks.ts';
import type { Branches } from './chat/branches.ts';
import { BranchParts } from './chat/branchParts.ts';
import { contextReport } from './chat/contextReport.ts';
import { whatModelSaw } from './chat/contextResult.ts';
import type { Conversations } from './chat/conversations.ts';
import type { Drafts } from './chat/drafts.ts';
import { Finder } from './chat/finder.ts';
import type { MessageQueue } from './chat/messageQueue.ts';
import type { Pictures } from './chat/pictures.ts';
import { searchConversations } from './chat/search.ts';
import type { Turns } from './chat/turn.ts';
import type { Asks } from './consent/asks.ts';
import type { AuditLog } from './consent/audit.ts';
import type { ConversationGrants } from './consent/conversationGrants.ts';
import type { Db } from './database.ts';
import type { Emit } from './events.ts';
import type { ModelAccess } from './modelAccess.ts';
import type { ClientManager } from './servers/clientManager.ts';
import type { ServerOffers } from './servers/offers.ts';
import { expandTemplate } from './servers/resources.ts';
import type { SettingsStore } from './settings.ts';
import type { Registry } from './tools/registry.ts';
import { passageOf } from './tools/resultCut.ts';

/** The requests that need a desktop, or the numbering of events: Electron answers those. */
type DesktopRequest = 'snapshot' | `app.${string}`;
type HostHandlers = { [N in keyof Handlers as N extends DesktopRequest ? never : N]: Handlers[N] };

/** The rooms of the host that the requests lead to. */
interface Rooms {
  db: Db;
  emit: Emit;
  /** Fires when the host closes: ends what a person asked for and nobody waits for any more. */
  closed: AbortSignal;
  manager: ClientManager;
  offers: ServerOffers;
  registry: Registry;
  conversations: Conversations;
  branches: Branches;
  drafts: Drafts;
  turns: Turns;
  adoptedTasks: AdoptedTasks;
  queue: MessageQueue;
  asks: Asks;
  grants: ConversationGrants;
  audit: AuditLog;
  pictures: Pictures;
  settings: SettingsStore;
  model: ModelAccess;
}

/** What the host answers: each request of the contract led to the room that it is about. */
export function hostHandlers(rooms: Rooms): HostHandlers {
  const {
    db,
    emit,
    closed,
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
  } = rooms;
  const branchParts = new BranchParts(db, conversations);
  const finder = new Finder(db, conversations);
  return {
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
      contents: await offers.read(server, uri, { signal: closed, refresh }),
    }),
    'resources.expand': async ({ uriTemplate, values }) => ({ uri: expandTemplate(uriTemplate, values) }),
    'resources.follow': ({ server, uri, follow }) => offers.follow(server, uri, follow),
    'prompts.get': ({ server, name, values }) => offers.prompt(server, name, values, { signal: closed }),
    'completion.complete': ({ server, ...question }) => offers.complete(server, question, { signal: closed }),

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
    'conversations.messages': async ({ conversationId, count, place }) =>
      branchParts.part(conversationId, count, place),
    'conversations.own': async ({ conversationId }) => branchParts.own(conversationId),
    'conversations.find': ({ conversationId, query }) => finder.find(conversationId, query),
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
    'drafts.save': async ({ conversationId, messageId, ...change }) =>
      drafts.save({ conversationId, messageId }, change),
    'drafts.edits': async ({ conversationId }) => drafts.edits(conversationId),

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
          toolSearch: () => settings.get().toolSearch,
        },
        conversationId,
        { exact },
        closed,
      ),
    'chat.summarise': ({ conversationId, goOn }) => turns.summarise(conversationId, goOn),
    'chat.useSummary': async ({ conversationId, messageId, index, use }) => {
      turns.mustRest(conversationId);
      const message = conversations.message(conversationId, messageId);
      const block = message.blocks[index];
      if (block?.type !== 'summary') throw new HostError('summary.unknown', 'This summary no longer exists.');
      const { undone: _was, ...summary } = block;
      conversations.setBlock(message, index, use ? summary : { ...summary, undone: true });
    },
    'chat.result': async ({ conversationId, messageId, index }) =>
      resultOf(conversations.message(conversationId, messageId), index),
    'chat.resultText': async ({ conversationId, messageId, index, part, from, length }) => {
      const text = textOfPart(resultOf(conversations.message(conversationId, messageId), index), part);
      return { text: passageOf(text, from, length), total: text.length };
    },
    'chat.modelSaw': async ({ conversationId, messageId, index }) => {
      const message = conversations.message(conversationId, messageId);
      return { text: whatModelSaw(message.blocks[index]) };
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

    'pictures.load': ({ url, once }) => pictures.load(url, { once, signal: closed }),

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
}
