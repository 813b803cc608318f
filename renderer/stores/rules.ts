import { create } from 'zustand';
import type { ConversationRules, StandingRule } from '../../shared/rules.ts';

interface RulesState {
  /** The standing answers, the newest first. */
  rules: StandingRule[];
  /** What was decided for one conversation each, by its id. */
  conversations: Record<string, ConversationRules>;
}

export const useRules = create<RulesState>(() => ({ rules: [], conversations: {} }));

export function putConversationRules(rules: ConversationRules): void {
  useRules.setState(({ conversations }) => ({
    conversations: { ...conversations, [rules.conversationId]: rules },
  }));
}
