import { toErrorInfo } from '../../shared/errors.ts';
import type { HostEvent, NumberedEvent, Snapshot } from '../../shared/ipc.ts';
import { act, addProblem, useApp } from './app.ts';
import { useAsks } from './asks.ts';
import { runCommand } from './commands.ts';
import { dropConversation, noMessages, putConversation, putTurn, useConversations } from './conversations.ts';
import { request } from './host.ts';
import { addLogEntries } from './logs.ts';
import { appendDelta, openConversation, putBlock, putBranch, putMessage } from './openBranch.ts';
import { putQueue, useQueues } from './queues.ts';
import { resourceUpdated } from './resources.ts';
import { putConversationRules, useRules } from './rules.ts';
import { useServers } from './servers.ts';
import { useSettings } from './settings.ts';
import { showAsk } from './showAsk.ts';
import { useTools } from './tools.ts';
import { addTraffic } from './traffic.ts';

/**
 * The one place that feeds the stores: a snapshot first, then every event in order. Events that arrive before the
 * snapshot wait for it; a gap in the numbers means that something was missed, and everything is fetched anew.
 */
export function startSync(): () => void {
  let seq: number | undefined;
  let waiting: NumberedEvent[] = [];

  const load = async () => {
    seq = undefined;
    try {
      const snapshot = await request('snapshot');
      applySnapshot(snapshot);
      seq = snapshot.seq;
      const held = waiting;
      waiting = [];
      for (const event of held) accept(event);
      // After the events: what is fetched now contains their text already, and must not get it twice.
      const { openId } = useConversations.getState();
      if (openId !== undefined) act(openConversation(openId));
    } catch (error) {
      useApp.setState({ broken: toErrorInfo(error) });
    }
  };

  const accept = (event: NumberedEvent) => {
    if (seq === undefined) {
      waiting.push(event);
    } else if (event.seq === seq + 1) {
      seq = event.seq;
      applyEvent(event);
    } else if (event.seq > seq) {
      waiting = [event];
      void load();
    }
  };

  const stop = window.parley.on(events => {
    for (const event of events) accept(event);
  });
  void load();
  return stop;
}

function applySnapshot(snapshot: Snapshot): void {
  useServers.setState({ servers: snapshot.servers, file: snapshot.serversFile });
  useTools.setState({ tools: snapshot.tools });
  useAsks.setState({ asks: snapshot.asks });
  useQueues.setState({
    queues: Object.fromEntries(snapshot.queues.map(queue => [queue.conversationId, queue])),
  });
  useRules.setState({
    rules: snapshot.rules,
    conversations: Object.fromEntries(snapshot.conversationRules.map(one => [one.conversationId, one])),
  });
  useSettings.setState({ settings: snapshot.settings, model: snapshot.model, app: snapshot.app });
  useConversations.setState(({ openId }) => ({
    conversations: snapshot.conversations,
    // It may have been deleted by one of the events that were missed.
    ...(snapshot.conversations.some(({ id }) => id === openId) ? {} : { openId: undefined, ...noMessages }),
    turns: Object.fromEntries(snapshot.turns.map(turn => [turn.conversationId, turn])),
  }));
  for (const problem of snapshot.problems) addProblem(problem);
  useApp.setState({ ready: true, broken: undefined });
}

function applyEvent(event: HostEvent): void {
  switch (event.name) {
    case 'server.changed': {
      const view = event.payload;
      useServers.setState(({ servers }) => {
        const at = servers.findIndex(({ name }) => name === view.name);
        return { servers: at === -1 ? [...servers, view] : servers.with(at, view) };
      });
      break;
    }
    case 'server.removed':
      useServers.setState(({ servers }) => ({
        servers: servers.filter(({ name }) => name !== event.payload.name),
      }));
      break;
    case 'serversFile.changed':
      useServers.setState({ file: event.payload });
      break;
    case 'server.logged':
      addLogEntries(event.payload);
      break;
    case 'server.traffic':
      addTraffic(event.payload);
      break;
    case 'resource.updated':
      resourceUpdated(event.payload);
      break;
    case 'tools.changed':
      useTools.setState({ tools: event.payload });
      break;
    case 'conversation.changed':
      putConversation(event.payload);
      break;
    case 'conversation.removed':
      dropConversation(event.payload.id);
      break;
    case 'message.changed':
      putMessage(event.payload);
      break;
    case 'branch.changed':
      putBranch(event.payload);
      break;
    case 'block.changed':
      putBlock(event.payload);
      break;
    case 'block.delta':
      appendDelta(event.payload);
      break;
    case 'turn.changed':
      putTurn(event.payload);
      break;
    case 'queue.changed':
      putQueue(event.payload);
      break;
    case 'ask.opened':
      useAsks.setState(({ asks }) => ({ asks: [...asks, event.payload] }));
      break;
    case 'ask.closed':
      useAsks.setState(({ asks }) => ({ asks: asks.filter(({ id }) => id !== event.payload.id) }));
      break;
    case 'rules.changed':
      useRules.setState({ rules: event.payload });
      break;
    case 'conversationRules.changed':
      putConversationRules(event.payload);
      break;
    case 'ask.show':
      showAsk(event.payload.id);
      break;
    case 'settings.changed':
      useSettings.setState({ settings: event.payload });
      break;
    case 'model.changed':
      useSettings.setState({ model: event.payload });
      break;
    case 'problem':
      addProblem(event.payload);
      break;
    case 'command':
      runCommand(event.payload);
      break;
  }
}
