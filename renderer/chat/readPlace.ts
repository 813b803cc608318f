import { useConversations } from '../stores/conversations.ts';

/**
 * Where the person is in the open conversation: when the message in the middle of the view was written, and which of
 * theirs it is or follows, as far as that is in the page. Undefined where no message is shown.
 */
export function readPlace(): { at: number; ownId: string | undefined } | undefined {
  const view = document.querySelector('[aria-label="Messages"]')?.getBoundingClientRect();
  if (!view) return undefined;
  const middle = view.top + view.height / 2;
  const articles = [...document.querySelectorAll<HTMLElement>('[role="log"] [data-message]')];
  const seen = articles.findLast(article => article.getBoundingClientRect().top <= middle) ?? articles[0];
  const { messages = [] } = useConversations.getState();
  const at = messages.findIndex(({ id }) => id === seen?.dataset.message);
  const message = messages[at];
  return (
    message && {
      at: message.createdAt,
      ownId: messages.slice(0, at + 1).findLast(({ role }) => role === 'user')?.id,
    }
  );
}
