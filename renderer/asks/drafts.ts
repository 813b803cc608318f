import { create } from 'zustand';
import type { FieldValue, FieldValues } from '../../shared/elicitation.ts';

/** What is typed into open questions, by their id, so that it is still there after a look at another conversation. */
interface Drafts {
  drafts: Readonly<Record<string, FieldValues>>;
  set(id: string, name: string, value: FieldValue): void;
  /** Forgets the drafts of all questions but these. */
  keep(ids: readonly string[]): void;
}

export const useDrafts = create<Drafts>(set => ({
  drafts: {},
  set: (id, name, value) =>
    set(({ drafts }) => ({ drafts: { ...drafts, [id]: { ...drafts[id], [name]: value } } })),
  keep: ids =>
    set(({ drafts }) => {
      const kept = Object.entries(drafts).filter(([id]) => ids.includes(id));
      return kept.length === Object.keys(drafts).length ? {} : { drafts: Object.fromEntries(kept) };
    }),
}));
