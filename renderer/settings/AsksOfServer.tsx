import type { ServerView } from '../../shared/servers.ts';
import { AnyAsk } from '../asks/AnyAsk.tsx';
import { useAsks } from '../stores/asks.ts';

/** What has to be answered before a server can be used: it is asked here too, where the person is looking. */
export function AsksOfServer({ server: { name } }: { server: ServerView }) {
  const first = useAsks(({ asks }) =>
    asks.find(
      ask =>
        ask.server === name &&
        ask.conversationId === undefined &&
        (ask.kind === 'signIn' || ask.kind === 'signInWaiting' || ask.kind === 'secret'),
    ),
  );
  return first ? <AnyAsk key={first.id} ask={first} /> : null;
}
