import { create } from 'zustand';
import { isAttachment } from '../../shared/attachments.ts';
import type { Draft, Message } from '../../shared/chat.ts';
import { request } from './host.ts';
import { saveLater } from './saveLater.ts';

export interface Edit extends Draft {
  /** Where the person came from and goes back to; before: it was begun before the window was opened. */
  from: 'message' | 'composer' | 'before';
}

type Where = Pick<Message, 'id' | 'conversationId'>;

/** The messages of the person that are being edited, by id: kept here, so that scrolling and other conversations do no harm. */
const useEdits = create<{ edits: Readonly<Record<string, Edit>> }>(() => ({ edits: {} }));

export function useEdit(messageId: string): Edit | undefined {
  return useEdits(({ edits }) => edits[messageId]);
}

/** Fetches what was being edited before the window was opened, unless there is something newer. */
export async function loadEdits(conversationId: string | undefined): Promise<void> {
  if (conversationId === undefined || loaded.has(conversationId)) return;
  loaded.add(conversationId);
  for (const { messageId, ...draft } of await request('drafts.edits', { conversationId }))
    if (!(messageId in useEdits.getState().edits)) put(messageId, { ...draft, from: 'before' });
}

const loaded = new Set<string>();

export function startEdit({ id, conversationId, blocks }: Message, from: Edit['from']): void {
  const text = blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n\n');
  const draft = { text, attachments: blocks.filter(isAttachment) };
  put(id, { ...draft, from });
  saveLater({ conversationId, messageId: id }, draft);
}

export function changeEdit({ id, conversationId }: Where, change: Partial<Draft>): void {
  const edit = useEdits.getState().edits[id];
  if (!edit) return;
  put(id, { ...edit, ...change });
  saveLater({ conversationId, messageId: id }, change);
}

export function endEdit({ id, conversationId }: Where): void {
  useEdits.setState(({ edits: { [id]: _ended, ...edits } }) => ({ edits }));
  saveLater({ conversationId, messageId: id }, { text: '', attachments: [] });
}

function put(messageId: string, edit: Edit): void {
  useEdits.setState(({ edits }) => ({ edits: { ...edits, [messageId]: edit } }));
}
