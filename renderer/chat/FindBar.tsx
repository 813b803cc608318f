import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { FoundMessage } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { useFind } from '../stores/find.ts';
import { showMessage } from '../stores/openBranch.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import styles from './FindBar.module.css';
import { useFound } from './useFound.ts';

/** Finds a text in the open conversation, from its end upwards: the newest is what one looks for most often. */
export function FindBar() {
  const query = useFind(state => state.query);
  const answer = useFound(query);
  const found = answer ?? [];
  const [current, setCurrent] = useState<{ query: string; messageId: string }>();
  const field = useRef<HTMLInputElement>(null);
  const at = found.findIndex(({ messageId }) => messageId === current?.messageId);
  const asked = useFind(state => state.asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it is asked for
  useEffect(() => field.current?.select(), [asked]);
  useEffect(() => () => useFind.setState({ open: false, query: '', shown: undefined }), []);

  const show = (one: FoundMessage | undefined) => {
    if (!one) return;
    setCurrent({ query, messageId: one.messageId });
    useFind.setState({ shown: one });
    act(showMessage(one.messageId));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows the newest once it is known for what was typed
  useEffect(() => {
    if (answer && current?.query !== query) show(answer.at(-1));
  }, [answer]);
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
        onChange={({ target }) => useFind.setState({ query: target.value })}
        onKeyDown={onKeyDown}
      />
      <span className={styles.count} role="status">
        {query.trim() !== '' && answer && countWords(found.length, at)}
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
