import type { TurnState } from '../../shared/chat.ts';
import type { ConversationSettings } from '../../shared/conversationSettings.ts';
import type { ToolSearch } from '../../shared/settings.ts';
import type { ChatModel } from './model.ts';
import type { CallDeps } from './turnCalls.ts';

export interface TurnDeps extends CallDeps {
  /** Asked once for each turn, with the model that the conversation has of its own. */
  modelFor(model: string | undefined): CurrentModel;
  /** When earlier messages are summarised, in percent of what the model can read; undefined: never by itself. */
  compactAt(): number | undefined;
  toolSearch(): ToolSearch;
}

export interface CurrentModel {
  chatModel: ChatModel;
  model: string;
  maxTokens: number;
}

export interface Turn {
  conversationId: string;
  /** What the first answer follows; null: nothing. */
  parentId: string | null;
  current: CurrentModel;
  /** As they were when the turn began. */
  settings: ConversationSettings;
  signal: AbortSignal;
  /** Ends the turn as the person's Stop does. */
  stop(): void;
  /** What stops one call, by its id, while it runs. */
  calls: Map<string, AbortController>;
  onPhase(state: Omit<TurnState, 'conversationId'>): void;
}
