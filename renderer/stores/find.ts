import { create } from 'zustand';

/** What is looked for in the open conversation. */
export const useFind = create<{ open: boolean; query: string; asked: number }>(() => ({
  open: false,
  query: '',
  /** How often the person wanted to find something: each time the field gets the cursor. */
  asked: 0,
}));
