import { create } from 'zustand';
import type { ToolInfo } from '../../shared/tools.ts';

/** Every server's tools in one list. */
export const useTools = create<{ tools: ToolInfo[] }>(() => ({ tools: [] }));
