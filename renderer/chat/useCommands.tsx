import { useEffect, useState } from 'react';
import { runCommand } from '../stores/commands.ts';
import { setDraft } from '../stores/drafts.ts';
import { matchesQuery } from '../ui/matching.ts';
import { usePickList } from './usePickList.tsx';

type Command = Parameters<typeof runCommand>[0];

const commands: readonly { command: Command; title: string; detail: string; whileRunning?: boolean }[] = [
  { command: 'newConversation', title: 'New conversation', detail: 'begins an empty one' },
  { command: 'openServers', title: 'Open servers', detail: 'add, restart and look at servers' },
  { command: 'openSettings', title: 'Open model', detail: 'the model, its key and its limits' },
  { command: 'stop', title: 'Stop', detail: 'ends what is running here', whileRunning: true },
];

/**
 * The commands of the app that a / at the start opens. A word that is none of them, or more than one word, is a message
 * like any other: the Guide has commands of its own.
 */
export function useCommands(place: string | undefined, text: string, running: boolean) {
  const query = /^\/(\S*)$/.exec(text)?.[1];
  const [left, setLeft] = useState(false);
  useEffect(() => {
    if (query === undefined) setLeft(false);
  }, [query]);
  const picks = commands.filter(
    ({ title, whileRunning }) => (running || !whileRunning) && matchesQuery(title, query ?? ''),
  );
  return usePickList({
    open: query !== undefined && !left && picks.length > 0,
    label: 'Commands',
    picks,
    show: ({ command, title, detail }) => ({ key: command, title, detail }),
    status: 'Enter runs the command.',
    onTake: ({ command }) => {
      setDraft(place, { text: '' });
      runCommand(command);
    },
    onClose: () => setLeft(true),
  });
}
