import 'katex/dist/katex.css';
import katex from 'katex';
import { copyFormulas } from './copyFormulas.ts';

document.addEventListener('copy', copyFormulas);

/**
 * Puts a formula into an element, for the eye and, as MathML, for a screen reader; false where it cannot be read. It
 * can link and load nothing, and is bounded in size and in what its macros may become. Loaded on the first formula.
 */
export function typeset(tex: string, display: boolean, place: HTMLElement): boolean {
  try {
    katex.render(tex, place, {
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      // What is not trusted is shown as its source in this colour.
      errorColor: 'var(--danger)',
      trust: false,
      maxSize: 20,
      maxExpand: 500,
    });
    return true;
  } catch (error) {
    // A range error: what is nested too deeply for the stack.
    if (!(error instanceof katex.ParseError || error instanceof RangeError)) throw error;
    place.replaceChildren();
    return false;
  }
}
