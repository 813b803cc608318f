import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useConversations } from '../stores/conversations.ts';
import { useFind } from '../stores/find.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import styles from './FindBar.module.css';
import { findMessages } from './findMessages.ts';

/** Finds a text in the open conversation, from its end upwards: the newest is what one looks for most often. */
export function FindBar() {
  const query = useFind(state => state.query);
  const messages = useConversations(state => state.messages);
  const found = useMemo(() => findMessages(messages ?? [], query), [messages, query]);
  const [current, setCurrent] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const at = current === undefined ? -1 : found.indexOf(current);
  const asked = useFind(state => state.asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is asked for
  useEffect(() => field.current?.select(), [asked]);
  useEffect(() => () => useFind.setState({ open: false, query: '' }), []);

  const show = (id: string | undefined) => {
    setCurrent(id);
    useConversations.setState({ sought: id });
  };
  const look = (text: string) => {
    useFind.setState({ query: text });
    show(findMessages(messages ?? [], text).at(-1));
  };
  const step = (by: 1 | -1) => show(found.at(((at === -1 ? 0 : at) + by) % found.length));
  const close = () => useFind.setState({ open: false });
  const onKeyDown = (event: KeyboardEvent) => {
    if (belongsToInputMethod(event.nativeEvent)) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && found.length > 0) step(event.shiftKey ? 1 : -1);
    else return;
    event.preventDefault();
  };
  return (
    <search className={styles.bar} aria-label="Find in this conversation">
      <input
        ref={field}
        className={styles.field}
        aria-label="Find in this conversation"
        placeholder="Find in this conversation"
        value={query}
        onChange={({ target }) => look(target.value)}
        onKeyDown={onKeyDown}
      />
      <span className={styles.count} role="status">
        {query.trim() !== '' && countWords(found.length, at)}
      </span>
      <IconButton
        label="Previous message with it (Enter)"
        disabled={found.length === 0}
        onClick={() => step(-1)}
      >
        <ChevronUp size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        label="Next message with it (Shift+Enter)"
        disabled={found.length === 0}
        onClick={() => step(1)}
      >
        <ChevronDown size={16} aria-hidden="true" />
      </IconButton>
      <IconButton label="Close" onClick={close}>
        <X size={16} aria-hidden="true" />
      </IconButton>
    </search>
  );
}

function countWords(count: number, at: number): string {
  if (count === 0) return 'Nothing found';
  const all = `${count.toLocaleString('en')} ${count === 1 ? 'message' : 'messages'}`;
  return at === -1 ? all : `${(at + 1).toLocaleString('en')} of ${all}`;
}
