import type { ElementContent } from 'hast';

/** The text in a piece of a parsed document, without its markup. */
export function textOf(nodes: readonly ElementContent[]): string {
  return nodes
    .map(node => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : ''))
    .join('');
}
