import type { ComponentType } from 'react';
import type { ServerView } from '../../../shared/servers.ts';
import { ServerTools } from '../ServerTools.tsx';
import { Overview } from './Overview.tsx';
import { ServerLog } from './ServerLog.tsx';
import { ServerPrompts } from './ServerPrompts.tsx';
import { ServerResources } from './ServerResources.tsx';
import { ServerTraffic } from './ServerTraffic.tsx';

/** One tab of a server's page. Its content exists only while it is shown. */
export interface ServerTab {
  /** Its name in `openServer(name, tab)`. */
  value: string;
  label(server: ServerView): string;
  /** Left out where it has no meaning; absent: always there. */
  isShown?(server: ServerView): boolean;
  Content: ComponentType<{ server: ServerView }>;
}

/** The tabs in the order in which they are shown. */
export const serverTabs: readonly ServerTab[] = [
  { value: 'overview', label: () => 'Overview', Content: Overview },
  {
    value: 'tools',
    label: ({ counts }) => counted('Tools', counts.tools),
    Content: ({ server }) => <ServerTools server={server.name} />,
  },
  {
    value: 'resources',
    label: ({ counts }) => counted('Resources', counts.resources),
    isShown: ({ capabilities }) => capabilities?.resources !== undefined,
    Content: ServerResources,
  },
  {
    value: 'prompts',
    label: ({ counts }) => counted('Prompts', counts.prompts),
    isShown: ({ capabilities }) => capabilities?.prompts !== undefined,
    Content: ServerPrompts,
  },
  { value: 'messages', label: () => 'Messages', Content: ServerTraffic },
  { value: 'log', label: () => 'Log', Content: ServerLog },
];

function counted(word: string, count: number): string {
  return count === 0 ? word : `${word} (${count})`;
}
