import { create } from 'zustand';
import type { Ask } from '../../shared/asks.ts';

/** The open questions, oldest first. */
export const useAsks = create<{ asks: Ask[] }>(() => ({ asks: [] }));
