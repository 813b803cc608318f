import type { EventPayload } from '../../shared/ipc.ts';
import { act, go, useApp } from './app.ts';
import { useConversations } from './conversations.ts';
import { useFind } from './find.ts';
import { request } from './host.ts';
import { openConversation } from './openBranch.ts';
import { useOutline } from './outline.ts';

/** Where the composer registers itself, so that a command can put the cursor there. */
let composer: HTMLTextAreaElement | null = null;

export function registerComposer(element: HTMLTextAreaElement | null): void {
  composer = element;
}

export function focusComposer(): void {
  // After the route has been rendered.
  requestAnimationFrame(() => composer?.focus());
}

/** Where the search of conversations registers itself. */
let search: HTMLInputElement | null = null;

export function registerSearch(element: HTMLInputElement | null): void {
  search = element;
}

/** What a menu entry asks of the page. */
export function runCommand(command: EventPayload<'command'>): void {
  switch (command) {
    case 'newConversation':
      go('chat');
      act(openConversation(undefined));
      focusComposer();
      break;
    case 'openServers':
      go('servers');
      break;
    case 'openSettings':
      go('model');
      break;
    case 'focusComposer':
      go('chat');
      focusComposer();
      break;
    case 'search':
      useApp.setState({ sidebar: true });
      requestAnimationFrame(() => search?.select());
      break;
    case 'find':
      go('chat');
      useFind.setState(({ asked }) => ({ open: true, asked: asked + 1 }));
      break;
    case 'outline':
      go('chat');
      // After the route has been rendered, and the list of commands has left.
      requestAnimationFrame(() => useOutline.setState({ open: true }));
      break;
    case 'stop':
      act(stopTurn());
      break;
    case 'summarise':
      act(summarise());
      break;
  }
}

async function summarise(): Promise<void> {
  const { openId } = useConversations.getState();
  if (openId !== undefined) await request('chat.summarise', { conversationId: openId, goOn: false });
}

/** Stops the turn of the open conversation, if one runs. */
export async function stopTurn(): Promise<void> {
  const { openId, turns } = useConversations.getState();
  if (openId !== undefined && turns[openId]) await request('chat.stop', { conversationId: openId });
}
