import { create } from 'zustand';

/** Whether the outline of the open conversation is shown. */
export const useOutline = create<{ open: boolean }>(() => ({ open: false }));
