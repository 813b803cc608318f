import type { ConversationRules } from '../../shared/rules.ts';
import type { Emit } from '../events.ts';
import { fingerprint, type ToolIdentity, toolKey } from './identity.ts';

interface Own {
  /** By `toolKey`. */
  allowed: Map<string, { server: string; tool: string; fingerprint: string; since: number }>;
}

/**
 * What the person decided for one conversation. It is kept in memory only: it ends with the conversation, and with
 * Parley.
 */
export class ConversationGrants {
  readonly #emit: Emit;
  readonly #own = new Map<string, Own>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Whether this very tool, as it is now, was allowed there. */
  allows(conversationId: string | undefined, tool: ToolIdentity): boolean {
    if (conversationId === undefined) return false;
    const seen = this.#own.get(conversationId)?.allowed.get(toolKey(tool));
    return seen?.fingerprint === fingerprint(tool);
  }

  /** @param tool as the person saw it */
  allow(conversationId: string, tool: ToolIdentity): void {
    const { server, tool: name } = tool;
    this.#change(conversationId, own =>
      own.allowed.set(toolKey(tool), {
        server,
        tool: name,
        fingerprint: fingerprint(tool),
        since: Date.now(),
      }),
    );
  }

  revoke(conversationId: string, server: string, tool: string): void {
    this.#change(conversationId, own => own.allowed.delete(toolKey({ server, tool })));
  }

  /** Takes back what was allowed of a tool in any conversation, because the person has said something else. */
  forgetTool(server: string, tool: string): void {
    for (const conversationId of [...this.#own.keys()]) this.revoke(conversationId, server, tool);
  }

  forgetServer(server: string): void {
    for (const [conversationId, { allowed }] of [...this.#own])
      for (const one of [...allowed.values()])
        if (one.server === server) this.revoke(conversationId, server, one.tool);
  }

  forgetConversation(conversationId: string): void {
    if (this.#own.delete(conversationId)) this.#tell(conversationId);
  }

  list(): ConversationRules[] {
    return [...this.#own.keys()].map(conversationId => this.#view(conversationId));
  }

  #change(conversationId: string, change: (own: Own) => void): void {
    const own = this.#own.get(conversationId) ?? { allowed: new Map() };
    change(own);
    if (own.allowed.size === 0) this.#own.delete(conversationId);
    else this.#own.set(conversationId, own);
    this.#tell(conversationId);
  }

  #tell(conversationId: string): void {
    this.#emit('conversationRules.changed', this.#view(conversationId));
  }

  #view(conversationId: string): ConversationRules {
    const allowed = [...(this.#own.get(conversationId)?.allowed.values() ?? [])];
    return {
      conversationId,
      allowed: allowed.map(({ server, tool, since }) => ({ server, tool, since })),
    };
  }
}
