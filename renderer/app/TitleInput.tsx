import { type KeyboardEvent, useRef, useState } from 'react';
import type { Conversation } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { request } from '../stores/host.ts';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import styles from './ConversationList.module.css';

/** The title of a conversation while it is changed: Enter or leaving saves, Esc does not. */
export function TitleInput({ conversation, onDone }: { conversation: Conversation; onDone(): void }) {
  const [title, setTitle] = useState(conversation.title);
  const cancelled = useRef(false);
  const save = async () => {
    onDone();
    const changed = title.trim();
    if (cancelled.current || changed === '' || changed === conversation.title) return;
    await request('conversations.rename', { conversationId: conversation.id, title: changed.slice(0, 200) });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (belongsToInputMethod(event)) return;
    if (event.key === 'Escape') cancelled.current = true;
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    event.preventDefault();
    const item = event.currentTarget.closest('li');
    event.currentTarget.blur();
    requestAnimationFrame(() => item?.querySelector('button')?.focus());
  };
  return (
    <input
      className={styles.input}
      aria-label="Title"
      value={title}
      maxLength={200}
      ref={element => element?.focus()}
      onFocus={event => event.currentTarget.select()}
      onChange={event => setTitle(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => act(save())}
    />
  );
}
