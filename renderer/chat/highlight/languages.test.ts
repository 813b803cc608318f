import { createLowlight } from 'lowlight';
import { describe, expect, it } from 'vitest';
import { languageOf, languages } from './languages.ts';

describe('languages with colours', () => {
  it('can all be loaded, with what occurs within them', async () => {
    const lowlight = createLowlight();
    for (const [name, { load, within = [] }] of Object.entries(languages)) {
      lowlight.register(name, (await load()).default);
      for (const inner of within) expect(languages).toHaveProperty(inner);
    }
    expect(lowlight.listLanguages()).toEqual(Object.keys(languages));
  });

  it('are known by every name once, in any case', () => {
    const names = Object.entries(languages).flatMap(([name, { names }]) => [
      name,
      ...(names?.split(' ') ?? []),
    ]);
    expect(new Set(names).size).toBe(names.length);
    expect(languageOf('TS')).toBe('typescript');
    expect(languageOf('C++')).toBe('cpp');
    expect(languageOf('constructor')).toBeUndefined();
  });
});
