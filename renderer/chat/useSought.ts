import { type RefObject, useEffect } from 'react';
import { useConversations } from '../stores/conversations.ts';
import { useFind } from '../stores/find.ts';
import { openFound } from './openFound.ts';
import { placesOf } from './useMarks.ts';

/** Brings the message that is sought into view, as soon as it is in the page. `away`: the list leaves its end. */
export function useSought(content: RefObject<HTMLElement | null>, away: () => void): void {
  const sought = useConversations(state => state.sought);
  const messages = useConversations(state => state.messages);
  useEffect(() => {
    const message = messages?.find(({ id }) => id === sought);
    if (!message) return;
    const element = content.current?.querySelector<HTMLElement>(`[data-message="${CSS.escape(message.id)}"]`);
    if (!element) return;
    useConversations.setState({ sought: undefined });
    away();
    const { open, query, shown } = useFind.getState();
    if (!open) {
      element.scrollIntoView({ block: 'center' });
      element.focus({ preventScroll: true });
      return;
    }
    // Whoever is typing what to find goes on typing.
    if (shown?.messageId === message.id) openFound(message, shown);
    // What was opened is in the page with the next frame.
    requestAnimationFrame(() => {
      const place = placesOf(element, query.trim().toLowerCase())[0]?.startContainer.parentElement;
      (place ?? element).scrollIntoView({ block: 'center' });
    });
  }, [sought, messages, content, away]);
}
