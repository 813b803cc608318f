import { useEffect, useState } from 'react';
import type { PromptInfo } from '../../shared/offers.ts';
import { runCommand } from '../stores/commands.ts';
import { draftOf, setDraft } from '../stores/drafts.ts';
import { matchesQuery } from '../ui/matching.ts';
import { PromptDialog } from './PromptDialog.tsx';
import { promptParts } from './promptParts.ts';
import { checkTogether } from './readFile.ts';
import { usePickList } from './usePickList.tsx';
import { useServerOffers } from './useServerOffers.ts';

type Command = Parameters<typeof runCommand>[0];

const commands: readonly { command: Command; title: string; detail: string; whileRunning?: boolean }[] = [
  { command: 'newConversation', title: 'New conversation', detail: 'begins an empty one' },
  {
    command: 'outline',
    title: 'Go to what you wrote',
    detail: 'lists your messages in this conversation',
  },
  { command: 'openServers', title: 'Open servers', detail: 'add, restart and look at servers' },
  { command: 'openSettings', title: 'Open model', detail: 'the model, its key and its limits' },
  {
    command: 'summarise',
    title: 'Summarise earlier messages',
    detail: 'makes room for what follows; can be undone',
  },
  { command: 'stop', title: 'Stop', detail: 'ends what is running here', whileRunning: true },
];

interface Prompt {
  server: string;
  info: PromptInfo;
  completes: boolean;
}

/**
 * The commands of the app and the prompts of all servers that a / at the start opens. A word that is none of them, or more than one word, is a message
 * like any other: the Guide has commands of its own.
 */
export function useCommands(place: string | undefined, text: string, running: boolean) {
  const query = /^\/(\S*)$/.exec(text)?.[1];
  const [left, setLeft] = useState(false);
  useEffect(() => {
    if (query === undefined) setLeft(false);
  }, [query]);
  const [prompt, setPrompt] = useState<Prompt>();
  const active = query !== undefined && !left;
  const prompts = useServerOffers(active)?.flatMap(({ server, offers }) =>
    offers.prompts.map(info => ({ server, info, completes: offers.canComplete })),
  );
  const picks = [
    ...commands.filter(
      ({ title, whileRunning }) => (running || !whileRunning) && matchesQuery(title, query ?? ''),
    ),
    ...(prompts ?? []).filter(({ info }) => matchesQuery(`${info.title ?? ''} ${info.name}`, query ?? '')),
  ];
  const { list, ...keys } = usePickList({
    open: active && picks.length > 0,
    label: 'Commands',
    picks,
    show: pick =>
      'command' in pick
        ? { key: pick.command, title: pick.title, detail: pick.detail }
        : {
            key: `${pick.server} ${pick.info.name}`,
            title: pick.info.title ?? pick.info.name,
            detail: `prompt of ${pick.server}`,
          },
    status: 'Enter runs a command or opens a prompt.',
    onTake: pick => {
      setDraft(place, { text: '' });
      if ('command' in pick) runCommand(pick.command);
      else setPrompt(pick);
    },
    onClose: () => setLeft(true),
  });
  return {
    ...keys,
    open: Boolean(list),
    menu: (
      <>
        {list}
        {prompt && (
          <PromptDialog
            server={prompt.server}
            prompt={prompt.info}
            completes={prompt.completes}
            onClose={() => setPrompt(undefined)}
            onTake={async messages => {
              const parts = await promptParts(prompt.server, messages);
              const attachments = [...draftOf(place).attachments, ...parts.attachments];
              checkTogether(attachments);
              setDraft(place, { text: parts.text, attachments });
              setPrompt(undefined);
            }}
          />
        )}
      </>
    ),
  };
}
