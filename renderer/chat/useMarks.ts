import { type RefObject, useEffect } from 'react';

const NAME = 'found';

/** Marks every place of a text in what is shown of the messages, also in what comes later; changes nothing in the page. */
export function useMarks(content: RefObject<HTMLElement | null>, query: string): void {
  useEffect(() => {
    const wanted = query.trim().toLowerCase();
    const root = content.current;
    if (wanted === '' || !root) return;
    let frame = 0;
    const mark = () => {
      frame = 0;
      CSS.highlights.set(NAME, new Highlight(...placesOf(root, wanted)));
    };
    const observer = new MutationObserver(() => {
      frame ||= requestAnimationFrame(mark);
    });
    observer.observe(root, { subtree: true, childList: true, characterData: true });
    mark();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [content, query]);
}

/** Every place of a text, given in lower case, in what is shown there. */
export function placesOf(root: HTMLElement, wanted: string): Range[] {
  const places: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue?.toLowerCase() ?? '';
    // A letter that becomes two in lower case would shift the marks.
    if (text.length !== node.nodeValue?.length) continue;
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      places.push(range);
    }
  }
  return places;
}
