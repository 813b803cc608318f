import type { Root } from 'hast';
import { common, createLowlight } from 'lowlight';

const lowlight = createLowlight(common);

/** The code as coloured spans; undefined for a language that is not known. Loaded on the first block of code. */
export function highlight(code: string, language: string): Root | undefined {
  return lowlight.registered(language) ? lowlight.highlight(language, code) : undefined;
}
