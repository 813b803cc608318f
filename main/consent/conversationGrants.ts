import type { ConversationRules } from '../../shared/rules.ts';
import type { Emit } from '../events.ts';
import { fingerprint, type ToolIdentity, toolKey } from './identity.ts';

interface Own {
  /** Since when every call runs there without a question. */
  fullAuto: number | undefined;
  /** By `toolKey`. */
  allowed: Map<string, { server: string; tool: string; fingerprint: string; since: number }>;
  /** By server: since when, and how many questions were declined by that. */
  muted: Map<string, { since: number; declined: number }>;
}

/** Questions that belong to no conversation are silenced under this id. */
const NO_CONVERSATION = '';
/** Of the flood of a muted server the count is told no more often. */
const COUNT_MS = 250;

/**
 * What the person decided for one conversation. It is kept in memory only: it ends with the conversation, and with
 * Parley.
 */
export class ConversationGrants {
  readonly #emit: Emit;
  readonly #own = new Map<string, Own>();
  readonly #counting = new Map<string, NodeJS.Timeout>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Why this very tool, as it is now, runs there without a question; undefined: it does not. */
  allows(conversationId: string | undefined, tool: ToolIdentity): 'fullAuto' | 'rule' | undefined {
    const own = conversationId === undefined ? undefined : this.#own.get(conversationId);
    if (own?.fullAuto !== undefined) return 'fullAuto';
    return own?.allowed.get(toolKey(tool))?.fingerprint === fingerprint(tool) ? 'rule' : undefined;
  }

  /** @param tool as the person saw it */
  allow(conversationId: string, tool: ToolIdentity): void {
    const { server, tool: name } = tool;
    const entry = { server, tool: name, fingerprint: fingerprint(tool), since: Date.now() };
    this.#change(conversationId, ({ allowed }) => allowed.set(toolKey(tool), entry));
  }

  revoke(conversationId: string, server: string, tool: string): void {
    this.#change(conversationId, ({ allowed }) => allowed.delete(toolKey({ server, tool })));
  }

  /** Every call of this conversation runs without a question, unless a rule denies it; or not any more. */
  setFullAuto(conversationId: string, on: boolean): void {
    this.#change(conversationId, own => {
      own.fullAuto = on ? (own.fullAuto ?? Date.now()) : undefined;
    });
  }

  /** What the server asks in this conversation, or outside of all, is declined without being shown; or not any more. */
  setMuted(conversationId: string | undefined, server: string, on: boolean): void {
    this.#change(conversationId ?? NO_CONVERSATION, ({ muted }) => {
      if (!on) muted.delete(server);
      else if (!muted.has(server)) muted.set(server, { since: Date.now(), declined: 0 });
    });
  }

  /** To be asked for each question: those that are declined are counted. */
  isMuted(conversationId: string | undefined, server: string): boolean {
    const id = conversationId ?? NO_CONVERSATION;
    const muted = this.#own.get(id)?.muted.get(server);
    if (!muted) return false;
    muted.declined += 1;
    this.#tellLater(id);
    return true;
  }

  /** Takes back what was allowed of a tool in any conversation, because the person has said something else. */
  forgetTool(server: string, tool: string): void {
    for (const conversationId of [...this.#own.keys()]) this.revoke(conversationId, server, tool);
  }

  forgetServer(server: string): void {
    for (const conversationId of [...this.#own.keys()])
      this.#change(conversationId, ({ allowed, muted }) => {
        for (const [key, one] of allowed) if (one.server === server) allowed.delete(key);
        muted.delete(server);
      });
  }

  forgetConversation(conversationId: string): void {
    if (this.#own.delete(conversationId)) this.#tell(conversationId);
  }

  list(): ConversationRules[] {
    return [...this.#own.keys()].map(conversationId => this.#view(conversationId));
  }

  close(): void {
    for (const timer of this.#counting.values()) clearTimeout(timer);
  }

  #change(conversationId: string, change: (own: Own) => void): void {
    const own: Own = this.#own.get(conversationId) ?? {
      fullAuto: undefined,
      allowed: new Map(),
      muted: new Map(),
    };
    change(own);
    const isEmpty = own.fullAuto === undefined && own.allowed.size === 0 && own.muted.size === 0;
    if (isEmpty) this.#own.delete(conversationId);
    else this.#own.set(conversationId, own);
    this.#tell(conversationId);
  }

  #tellLater(conversationId: string): void {
    if (this.#counting.has(conversationId)) return;
    this.#counting.set(
      conversationId,
      setTimeout(() => this.#tell(conversationId), COUNT_MS),
    );
  }

  #tell(conversationId: string): void {
    clearTimeout(this.#counting.get(conversationId));
    this.#counting.delete(conversationId);
    this.#emit('conversationRules.changed', this.#view(conversationId));
  }

  #view(conversationId: string): ConversationRules {
    const { fullAuto, allowed, muted } = this.#own.get(conversationId) ?? {};
    return {
      conversationId,
      ...(fullAuto === undefined ? {} : { fullAuto }),
      allowed: [...(allowed?.values() ?? [])].map(({ server, tool, since }) => ({ server, tool, since })),
      muted: [...(muted ?? [])].map(([server, counted]) => ({ server, ...counted })),
    };
  }
}
