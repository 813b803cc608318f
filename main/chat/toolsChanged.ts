import type { NoticeBlock } from '../../shared/chat.ts';
import { TOOLS_CHANGED } from './context.ts';

/** What came and went since the last request of a conversation, for the person and the model alike. */
export function toolsChanged(
  before: readonly string[] | undefined,
  now: readonly string[],
): NoticeBlock | undefined {
  if (!before) return undefined;
  const added = now.filter(name => !before.includes(name));
  const gone = before.filter(name => !now.includes(name));
  const parts = [
    ...(added.length > 0 ? [`New tools are available: ${listed(added)}.`] : []),
    ...(gone.length > 0 ? [`These tools are no longer available: ${listed(gone)}.`] : []),
  ];
  if (parts.length === 0) return undefined;
  return { type: 'notice', level: 'info', code: TOOLS_CHANGED, message: parts.join(' ') };
}

const MOST_NAMES = 30;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}
