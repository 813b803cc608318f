import { create } from 'zustand';
import type { FoundMessage } from '../../shared/chat.ts';

interface FindState {
  open: boolean;
  query: string;
  /** How often the person wanted to find something: each time the field gets the cursor. */
  asked: number;
  /** The one that is looked at of what was found. */
  shown: FoundMessage | undefined;
}

/** What is looked for in the open conversation. */
export const useFind = create<FindState>(() => ({ open: false, query: '', asked: 0, shown: undefined }));
