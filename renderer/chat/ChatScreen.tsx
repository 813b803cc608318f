import { useConversations } from '../stores/conversations.ts';
import { useFind } from '../stores/find.ts';
import { later } from '../ui/later.tsx';
import { ChatHeader } from './ChatHeader.tsx';
import styles from './ChatScreen.module.css';
import { Composer } from './Composer.tsx';
import { FindBar } from './FindBar.tsx';
import { FullAutoBanner } from './FullAutoBanner.tsx';
import { PhaseLine } from './PhaseLine.tsx';
import { Queue } from './Queue.tsx';
import { Welcome } from './Welcome.tsx';

const MessageList = later(async () => (await import('./MessageList.tsx')).MessageList);
const AskPanel = later(async () => (await import('../asks/AskPanel.tsx')).AskPanel);

/** The open conversation, or the welcome before its first message. */
export function ChatScreen() {
  const openId = useConversations(state => state.openId);
  const empty = useConversations(state => state.messages?.length === 0);
  const loading = useConversations(state => state.messages === undefined);
  const finding = useFind(state => state.open);
  return (
    <div className={styles.chat}>
      <ChatHeader />
      <FullAutoBanner conversationId={openId} />
      {empty && <Welcome />}
      {loading && (
        <p className={styles.loading} role="status">
          Opening the conversation…
        </p>
      )}
      {!empty && !loading && finding && <FindBar key={`find ${openId}`} />}
      {!empty && !loading && <MessageList key={openId} />}
      <div className={styles.bottom}>
        <AskPanel conversationId={openId} />
        <PhaseLine conversationId={openId} />
        <Queue conversationId={openId} />
        <Composer />
      </div>
    </div>
  );
}
