import { Search as SearchIcon, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Excerpt, FoundConversation } from '../../shared/chat.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { act, go } from '../stores/app.ts';
import { registerSearch } from '../stores/commands.ts';
import { request } from '../stores/host.ts';
import { openConversation } from '../stores/openBranch.ts';
import { Callout } from '../ui/Callout.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import styles from './Search.module.css';

/** How long a person pauses between two keys; in ms. */
const PAUSE_MS = 120;

/** Arrow down goes to what was found, Esc empties it. */
export function SearchField({ query, onChange }: { query: string; onChange(query: string): void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    registerSearch(input.current);
    return () => registerSearch(null);
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') onChange('');
    else if (event.key === 'ArrowDown') focusables(event.currentTarget)[0]?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <search className={styles.field}>
      <SearchIcon size={15} aria-hidden="true" />
      <input
        ref={input}
        type="text"
        aria-label="Search conversations"
        placeholder="Search"
        value={query}
        onChange={event => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {query !== '' && (
        <IconButton label="Clear search" onClick={() => onChange('')}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      )}
    </search>
  );
}

interface Results {
  found: FoundConversation[];
  isCut: boolean;
}

/** Conversations in which the words are, with the places. What is shown stays until there is something newer. */
export function SearchResults({ query }: { query: string }) {
  const [results, setResults] = useState<Results>();
  const [error, setError] = useState<ErrorInfo>();
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(async () => {
      try {
        const next = await request('conversations.search', { query: query.slice(0, 1000) });
        if (!isOld) setResults(next);
        if (!isOld) setError(undefined);
      } catch (cause) {
        if (!isOld) setError(toErrorInfo(cause));
      }
    }, PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [query]);
  if (error) return <Callout error={error} />;
  if (!results) return null;
  return (
    <nav aria-label="Found conversations">
      <p className={styles.count} role="status">
        {countWords(results)}
      </p>
      <ul className={styles.list} onKeyDown={moveByArrows}>
        {results.found.map(one => (
          <Found key={one.conversation.id} found={one} />
        ))}
      </ul>
    </nav>
  );
}

function countWords({ found, isCut }: Results): string {
  if (found.length === 0) return 'Nothing found.';
  const count = found.length === 1 ? 'Found in one conversation' : `Found in ${found.length} conversations`;
  return isCut ? `${count}; only the newest messages are shown. Another word finds fewer.` : `${count}.`;
}

function Found({ found: { conversation, title, messages, more } }: { found: FoundConversation }) {
  const show = (messageId?: string) => {
    go('chat');
    act(openConversation(conversation.id, messageId));
  };
  return (
    <li>
      <button type="button" className={styles.title} onClick={() => show(messages[0]?.messageId)}>
        <Marked excerpt={title} />
        {conversation.archived && <span className={styles.where}> (archived)</span>}
      </button>
      {messages.map(({ messageId, role, excerpt }) => (
        <button key={messageId} type="button" className={styles.message} onClick={() => show(messageId)}>
          <span className={styles.where}>{role === 'user' ? 'You: ' : 'Answer: '}</span>
          <Marked excerpt={excerpt} />
        </button>
      ))}
      {more > 0 && <p className={styles.more}>and {more} more</p>}
    </li>
  );
}

function Marked({ excerpt }: { excerpt: Excerpt }) {
  return excerpt.map(({ text, isHit }, index) =>
    // The parts of a text never change places.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    isHit ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  );
}

/** What can be reached with the arrow keys below the field. */
function focusables(from: Element): HTMLElement[] {
  return [...(from.closest('aside')?.querySelectorAll<HTMLElement>('nav li button') ?? [])];
}

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = focusables(event.currentTarget);
  const next = all.indexOf(document.activeElement as HTMLElement) + step;
  if (next < 0) event.currentTarget.closest('aside')?.querySelector('input')?.focus();
  else all[next]?.focus();
}
