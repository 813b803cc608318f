/** What a message follows; null: it is the first one. */
export interface Place {
  id: string;
  parentId: string | null;
}

/** The messages of one conversation as the tree they are: several may follow the same one, as versions of each other. */
export class MessageTree {
  readonly #parents = new Map<string, string | null>();
  readonly #children = new Map<string | null, string[]>();

  /** @param places oldest first: each one comes after the one it follows */
  constructor(places: readonly Place[]) {
    for (const { id, parentId } of places) {
      this.#parents.set(id, parentId);
      const siblings = this.#children.get(parentId);
      if (siblings) siblings.push(id);
      else this.#children.set(parentId, [id]);
    }
  }

  /** From the first message to this one. */
  path(id: string): string[] {
    const path: string[] = [];
    for (let at: string | null = id; at !== null; at = this.#parents.get(at) ?? null) path.push(at);
    return path.reverse();
  }

  /** The messages in the place of this one, itself among them, the oldest first. */
  versions(id: string): string[] {
    return this.#children.get(this.#parents.get(id) ?? null) ?? [];
  }

  /** This message and all that follows it, on every branch; the oldest first. */
  from(id: string): string[] {
    const found = new Set([id]);
    // A message is never older than the one it follows.
    for (const [later, parent] of this.#parents) if (parent !== null && found.has(parent)) found.add(later);
    return [...this.#parents.keys()].filter(each => found.has(each));
  }

  /** The end of the branch on which something was written last, of those that lead through this message. */
  newestEnd(id: string): string {
    return this.from(id).at(-1) ?? id;
  }
}
