import { create } from 'zustand';
import type { Draft } from '../../shared/chat.ts';
import { request } from './host.ts';
import { saveLater } from './saveLater.ts';

/** Where something is written: in a conversation, or (undefined) in the next new one. */
type Place = string | undefined;

/** What is written but not sent, by the id of its conversation (`''`: the next new one), as far as it was looked at. */
const useDrafts = create<{ drafts: Readonly<Record<string, Draft>> }>(() => ({ drafts: {} }));

const EMPTY: Draft = { text: '', attachments: [] };

export function useDraft(place: Place): Draft {
  return useDrafts(({ drafts }) => drafts[place ?? ''] ?? EMPTY);
}

export function draftOf(place: Place): Draft {
  return useDrafts.getState().drafts[place ?? ''] ?? EMPTY;
}

/** Fetches what was written before the window was opened, unless there is something newer. */
export async function loadDraft(place: Place): Promise<void> {
  if ((place ?? '') in useDrafts.getState().drafts) return;
  const draft = await request('drafts.get', { conversationId: place });
  if (!((place ?? '') in useDrafts.getState().drafts)) put(place, draft);
}

export function setDraft(place: Place, change: Partial<Draft>): void {
  put(place, { ...draftOf(place), ...change });
  saveLater({ conversationId: place }, change);
}

function put(place: Place, draft: Draft): void {
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [place ?? '']: draft } }));
}
