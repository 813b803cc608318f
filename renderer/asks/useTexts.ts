import { useDrafts } from './drafts.ts';

/** Texts of one question while they are edited; they survive as long as the question does. */
export function useTexts(askId: string) {
  const draft = useDrafts(state => state.drafts[askId]);
  const set = useDrafts(state => state.set);
  return {
    textOf: (name: string, original: string): string => {
      const edited = draft?.[name];
      return typeof edited === 'string' ? edited : original;
    },
    change: (name: string, text: string) => set(askId, name, text),
  };
}
