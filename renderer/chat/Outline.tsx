import { ListTree } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import type { OwnMessage } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { useFind } from '../stores/find.ts';
import { showMessage } from '../stores/openBranch.ts';
import { useOutline } from '../stores/outline.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import { matchesQuery } from '../ui/matching.ts';
import styles from './Outline.module.css';
import { OutlineList } from './OutlineList.tsx';
import { readPlace } from './readPlace.ts';
import { useOwnMessages } from './useOwnMessages.ts';

const isMac = navigator.platform.startsWith('Mac');

/** Opens the outline of the open conversation: what the person wrote, to go to any of it. */
export function OutlineButton() {
  const open = useOutline(state => state.open);
  const goes = useRef(false);
  const show = (messageId: string) => {
    goes.current = true;
    useOutline.setState({ open: false });
    act(showMessage(messageId));
  };
  return (
    <Popover.Root open={open} onOpenChange={open => useOutline.setState({ open })}>
      <Popover.Trigger asChild>
        <IconButton label={`What you wrote (${isMac ? '⌘⇧O' : 'Ctrl+Shift+O'})`}>
          <ListTree size={17} aria-hidden="true" />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.panel}
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label="What you wrote in this conversation"
          onCloseAutoFocus={event => {
            // The message that is gone to gets the focus.
            if (goes.current && !useFind.getState().open) event.preventDefault();
            goes.current = false;
          }}
        >
          <Panel onTake={show} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Panel({ onTake }: { onTake(messageId: string): void }) {
  const entries = useOwnMessages();
  const [query, setQuery] = useState('');
  const words = query.trim();
  const [here] = useState(readPlace);
  const current = useMemo(() => placeAmong(entries ?? [], here), [entries, here]);
  const shown = useMemo(
    () => (entries ?? []).filter(({ beginning }) => words === '' || matchesQuery(beginning, words)),
    [entries, words],
  );
  const [chosen, setChosen] = useState<string>();
  const at = placeOf(shown, chosen) ?? placeOf(shown, current) ?? shown.length - 1;
  const listId = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (belongsToInputMethod(event.nativeEvent)) return;
    const next = moves[event.key]?.(at, shown.length);
    const entry = shown[at];
    if (event.key === 'Enter' && entry) onTake(entry.messageId);
    else if (next !== undefined && (event.ctrlKey || !/^(Home|End)$/.test(event.key)))
      setChosen(shown[Math.max(0, Math.min(shown.length - 1, next))]?.messageId);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        className={styles.field}
        role="combobox"
        aria-label="Filter what you wrote"
        placeholder="Filter what you wrote"
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-activedescendant={shown.length > 0 ? `${listId}-${at}` : undefined}
        value={query}
        onChange={({ target }) => {
          setChosen(undefined);
          setQuery(target.value);
        }}
        onKeyDown={onKeyDown}
      />
      {shown.length > 0 && (
        <OutlineList id={listId} entries={shown} at={at} current={current} onTake={onTake} />
      )}
      <p className={styles.status} role="status">
        {statusWords(entries, shown.length)}
      </p>
    </>
  );
}

/** How far the list can be stepped through with each key; Home and End belong to the field without Ctrl. */
const moves: Readonly<Record<string, (at: number, length: number) => number>> = {
  ArrowDown: at => at + 1,
  ArrowUp: at => at - 1,
  PageDown: at => at + 8,
  PageUp: at => at - 8,
  Home: () => 0,
  End: (_at, length) => length - 1,
};

function placeOf(entries: readonly OwnMessage[], messageId: string | undefined): number | undefined {
  const at = entries.findIndex(entry => entry.messageId === messageId);
  return at === -1 ? undefined : at;
}

/** The last of what the person wrote up to the message that is looked at. */
function placeAmong(entries: readonly OwnMessage[], here: ReturnType<typeof readPlace>): string | undefined {
  if (!here) return undefined;
  return here.ownId ?? entries.findLast(({ at }) => at <= here.at)?.messageId;
}

function statusWords(entries: readonly OwnMessage[] | undefined, shown: number): string {
  if (!entries) return 'Reading what you wrote…';
  if (entries.length === 0)
    return 'You have not written anything here yet. What you write is listed here, to go back to it.';
  if (shown === 0) return 'No message of yours begins with a line that holds this.';
  const all = `${entries.length.toLocaleString('en')} ${entries.length === 1 ? 'message' : 'messages'} of yours`;
  return shown === entries.length ? all : `${shown.toLocaleString('en')} of ${all}`;
}
