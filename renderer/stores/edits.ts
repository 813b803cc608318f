import { create } from 'zustand';
import { isAttachment } from '../../shared/attachments.ts';
import type { Draft, Message } from '../../shared/chat.ts';

interface Edit extends Draft {
  /** Where the person came from and goes back to. */
  from: 'message' | 'composer';
}

/** The messages of the person that are being edited, by id: kept here, so that scrolling and other conversations do no harm. */
const useEdits = create<{ edits: Readonly<Record<string, Edit>> }>(() => ({ edits: {} }));

export function useEdit(messageId: string): Edit | undefined {
  return useEdits(({ edits }) => edits[messageId]);
}

export function startEdit({ id, blocks }: Message, from: Edit['from']): void {
  const text = blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n\n');
  put(id, { text, attachments: blocks.filter(isAttachment), from });
}

export function changeEdit(messageId: string, change: Partial<Draft>): void {
  const edit = useEdits.getState().edits[messageId];
  if (edit) put(messageId, { ...edit, ...change });
}

export function endEdit(messageId: string): void {
  useEdits.setState(({ edits: { [messageId]: _ended, ...edits } }) => ({ edits }));
}

function put(messageId: string, edit: Edit): void {
  useEdits.setState(({ edits }) => ({ edits: { ...edits, [messageId]: edit } }));
}
