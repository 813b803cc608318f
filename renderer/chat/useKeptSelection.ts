import { type RefObject, useEffect } from 'react';

/**
 * Keeps what a person has selected while the text grows. A new end of a text is written as a whole new text, which takes
 * every end of a selection in it back to its beginning; and a block that is understood anew comes with new nodes.
 */
export function useKeptSelection(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = content.current;
    if (!root) return;
    let kept: { anchor: Place; focus: Place } | undefined;
    const observer = new MutationObserver(changes => {
      const selection = getSelection();
      if (!selection || !kept) return;
      const [anchor, focus] = [repaired(kept.anchor, changes), repaired(kept.focus, changes)];
      if (!anchor && !focus) return;
      const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
      const [fromNode, from] = anchor ?? [anchorNode, anchorOffset];
      const [toNode, to] = focus ?? [focusNode, focusOffset];
      if (fromNode && toNode) selection.setBaseAndExtent(fromNode, from, toNode, to);
    });
    const remember = () => {
      const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = getSelection() ?? {};
      observer.disconnect();
      kept = undefined;
      if (isCollapsed || !anchorNode || !focusNode) return;
      if (!root.contains(anchorNode) && !root.contains(focusNode)) return;
      kept = { anchor: placeAt(anchorNode, anchorOffset ?? 0), focus: placeAt(focusNode, focusOffset ?? 0) };
      observer.observe(root, { subtree: true, childList: true, characterData: true });
    };
    document.addEventListener('selectionchange', remember);
    return () => {
      document.removeEventListener('selectionchange', remember);
      observer.disconnect();
    };
  }, [content]);
}

/** One end of a selection, and how to find it again. */
interface Place {
  node: Node;
  offset: number;
  /** What stands before it in its node. */
  before: string;
  /** The text that it is in, and how much of that is before it. */
  text: Element | null;
  at: number;
}

function placeAt(node: Node, offset: number): Place {
  const text = (node instanceof Element ? node : node.parentElement)?.closest('[data-grows]') ?? null;
  const before = node instanceof Text ? node.data.slice(0, offset) : '';
  return { node, offset, before, text, at: text ? lengthUntil(text, node, offset) : 0 };
}

function lengthUntil(text: Element, node: Node, offset: number): number {
  const range = document.createRange();
  range.setStart(text, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

/** Where an end that was harmed by changes of the page belongs; undefined for one that was not. */
function repaired({ node, offset, before, text, at }: Place, changes: MutationRecord[]): End | undefined {
  if (node.isConnected && !changes.some(({ type, target }) => type === 'characterData' && target === node))
    return undefined;
  if (node.isConnected && node instanceof Text && node.data.startsWith(before)) return [node, offset];
  return text?.isConnected ? endAt(text, at) : undefined;
}

type End = [Node, number];

function endAt(text: Element, at: number): End | undefined {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  let rest = at;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node as Text;
    if (rest <= length) return [node, rest];
    rest -= length;
  }
  return undefined;
}
