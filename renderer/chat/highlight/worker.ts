import type { Root } from 'hast';
import { createLowlight } from 'lowlight';
import { languageOf, languages } from './languages.ts';

/** What the page asks for. */
export interface Job {
  id: number;
  code: string;
  /** As it stands behind the fence. */
  language: string;
}

/** What comes back. */
export interface Colours {
  id: number;
  /** The code as spans with classes; undefined for a language that is not known. */
  tree: Root | undefined;
}

const lowlight = createLowlight();

addEventListener('message', ({ data: { id, code, language } }: MessageEvent<Job>) => {
  const name = languageOf(language);
  const answer = (tree: Root | undefined) => postMessage({ id, tree } satisfies Colours);
  if (name === undefined) answer(undefined);
  else void load(name).then(() => answer(lowlight.highlight(name, code)));
});

const loading = new Map<string, Promise<unknown>>();

/** Loads a language with those that occur within it, each once. */
async function load(name: string): Promise<void> {
  const wanted = new Set([name]);
  for (const one of wanted) for (const inner of languages[one]?.within ?? []) wanted.add(inner);
  await Promise.all(
    [...wanted].map(one => {
      const work = loading.get(one) ?? register(one);
      loading.set(one, work);
      return work;
    }),
  );
}

async function register(name: string): Promise<void> {
  const grammar = await languages[name]?.load();
  if (grammar) lowlight.register(name, grammar.default);
}
