import type { ReactNode } from 'react';
import type { ConversationRules } from '../../shared/rules.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { useRules } from '../stores/rules.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import styles from './RulesScreen.module.css';
import screen from './Screen.module.css';
import { useAction } from './useAction.ts';

/** What holds in one conversation each; it ends with that, or with Parley. */
export function ConversationRulesList() {
  const all = useRules(state => state.conversations);
  const some = Object.values(all).filter(
    ({ fullAuto, allowed, muted }) => fullAuto !== undefined || allowed.length > 0 || muted.length > 0,
  );
  if (some.length === 0) return null;
  return (
    <section className={screen.section} aria-labelledby="conversation-rules">
      <h2 id="conversation-rules">In one conversation, until it or Parley ends</h2>
      <ul className={styles.rules}>
        {some.map(rules => (
          <OfConversation key={rules.conversationId} rules={rules} />
        ))}
      </ul>
    </section>
  );
}

function OfConversation({
  rules: { conversationId, fullAuto, allowed, muted },
}: {
  rules: ConversationRules;
}) {
  const title = useConversations(
    ({ conversations }) => conversations.find(({ id }) => id === conversationId)?.title,
  );
  const where = title === undefined ? 'outside of conversations' : `in “${title}”`;
  return (
    <>
      {fullAuto !== undefined && (
        <Entry
          name={`Full auto ${where}`}
          since={fullAuto}
          isDanger
          revoke={() => request('chat.setFullAuto', { conversationId, on: false })}
        >
          <strong>Full auto:</strong> everything runs without a question {where}
        </Entry>
      )}
      {allowed.map(({ server, tool, since }) => (
        <Entry
          key={`${server} ${tool}`}
          name={`Allowed: ${server} ${tool} ${where}`}
          since={since}
          revoke={() => request('rules.revokeInConversation', { conversationId, server, tool })}
        >
          <strong>Allowed:</strong> <HiddenText text={server} /> · <HiddenText text={tool} /> {where}
        </Entry>
      ))}
      {muted.map(one => (
        <MutedServer key={one.server} conversationId={conversationId} where={where} muted={one} />
      ))}
    </>
  );
}

interface MutedProps {
  conversationId: string;
  where: string;
  muted: ConversationRules['muted'][number];
}

/** A server whose questions are declined without being shown, and the way back. */
export function MutedServer({ conversationId, where, muted: { server, since, declined } }: MutedProps) {
  return (
    <Entry
      name={`Muted: ${server} ${where}`}
      since={since}
      isDanger
      label="Unmute"
      revoke={() =>
        request('asks.mute', {
          server,
          muted: false,
          ...(conversationId === '' ? {} : { conversationId }),
        })
      }
    >
      <strong>Muted:</strong> the questions of <HiddenText text={server} /> are declined {where} without being
      shown. So far: {declined}.
    </Entry>
  );
}

interface EntryProps {
  name: string;
  since: number;
  isDanger?: boolean;
  label?: string;
  revoke(): Promise<unknown>;
  children: ReactNode;
}

function Entry({ name, since, isDanger, label = 'Revoke', revoke, children }: EntryProps) {
  const { run, busy, error } = useAction();
  return (
    <li className={styles.rule} data-rule={isDanger ? 'deny' : 'allow'}>
      <div className={styles.what}>
        <p>{children}</p>
        <p className={styles.since}>Since {new Date(since).toLocaleString()}</p>
        {error && <Callout tone="danger" error={error} />}
      </div>
      <Button size="small" disabled={busy} aria-label={`${label}: ${name}`} onClick={() => void run(revoke)}>
        {label}
      </Button>
    </li>
  );
}
