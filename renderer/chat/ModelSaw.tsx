import { useState } from 'react';
import type { ToolCallBlock } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { LongText } from './LongText.tsx';
import styles from './ToolResultView.module.css';
import { placeOf } from './useWholeResult.ts';

/** For a result that was too long for the model: how much of it that was given, and what. */
export function ModelSaw({
  cut: { limit, total },
  place,
}: {
  cut: NonNullable<ToolCallBlock['cutForModel']>;
  /** `messageId index` */
  place: string;
}) {
  const conversationId = useConversations(state => state.openId);
  const [text, setText] = useState<string>();
  if (conversationId === undefined) return null;
  const show = async () => {
    const saw = await request('chat.modelSaw', { conversationId, ...placeOf(place) });
    setText(saw.text);
  };
  return (
    <section aria-label="What the model saw">
      <p className={styles.note}>
        Too long for the model: it was given about {limit.toLocaleString('en')} of{' '}
        {total.toLocaleString('en')} characters, from the beginning and the end. It can read and search the
        rest by itself.
      </p>
      <Button
        size="small"
        aria-expanded={text !== undefined}
        onClick={() => (text === undefined ? act(show()) : setText(undefined))}
      >
        What the model saw
      </Button>
      {text !== undefined && <LongText text={text} />}
    </section>
  );
}
