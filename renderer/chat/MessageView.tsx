import { memo } from 'react';
import type { Block, Message } from '../../shared/chat.ts';
import { GUIDE } from '../../shared/settings.ts';
import { useEdit } from '../stores/edits.ts';
import { AttachmentChip } from './AttachmentChip.tsx';
import { groupCalls } from './callGroups.ts';
import { EditMessage } from './EditMessage.tsx';
import { LongText } from './LongText.tsx';
import { Markdown } from './Markdown.tsx';
import { MessageActions } from './MessageActions.tsx';
import styles from './MessageView.module.css';
import { Notice } from './Notice.tsx';
import { Summary } from './Summary.tsx';
import { Thinking } from './Thinking.tsx';
import { ToolCallGroup } from './ToolCallGroup.tsx';
import { ToolCard } from './ToolCard.tsx';

/** One message: what the person wrote, or one answer with its tool calls. */
export const MessageView = memo(function MessageView({ message }: { message: Message }) {
  const own = message.role === 'user';
  const name = own ? 'You' : message.model === GUIDE ? 'Guide' : 'Assistant';
  const edit = useEdit(message.id);
  return (
    <article
      className={styles.message}
      data-own={own}
      data-editing={edit !== undefined}
      data-message={message.id}
      aria-label={name}
      tabIndex={-1}
    >
      {edit ? (
        <EditMessage message={message} edit={edit} />
      ) : (
        <div className={styles.body}>
          {groupCalls(message.blocks).map(part =>
            'calls' in part ? (
              <ToolCallGroup key={part.index} calls={part.calls} messageId={message.id} first={part.index} />
            ) : (
              <BlockView key={part.index} block={part.block} message={message} index={part.index} />
            ),
          )}
          {message.status === 'streaming' && message.blocks.length === 0 && (
            <span className={styles.dots} role="img" aria-label="The answer is coming" />
          )}
        </div>
      )}
      {!edit && <MessageActions message={message} />}
    </article>
  );
});

function BlockView({ block, message, index }: { block: Block | undefined; message: Message; index: number }) {
  switch (block?.type) {
    case 'text':
      return message.role === 'user' ? <OwnText text={block.text} /> : <Markdown text={block.text} />;
    case 'thinking':
      return (
        <Thinking
          text={block.text}
          place={`${message.id} ${index}`}
          running={message.status === 'streaming' && index === message.blocks.length - 1}
        />
      );
    case 'toolCall':
      return <ToolCard call={block} cardKey={`${message.id} ${index}`} />;
    case 'notice':
      return <Notice notice={block} conversationId={message.conversationId} messageId={message.id} />;
    case 'summary':
      return (
        <Summary
          summary={block}
          conversationId={message.conversationId}
          messageId={message.id}
          index={index}
        />
      );
    case 'image':
    case 'document':
    case 'attachment':
      return <AttachmentChip attachment={block} />;
    default:
      // A provider's own block: nothing to show.
      return null;
  }
}

/** A longer text was pasted and is shown in steps; in characters. */
const MAX_AT_ONCE = 10_000;

function OwnText({ text }: { text: string }) {
  return text.length > MAX_AT_ONCE ? <LongText text={text} /> : <p className={styles.own}>{text}</p>;
}
