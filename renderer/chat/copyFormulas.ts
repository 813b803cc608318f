/** Copies the source of the formulas in what is selected, always a whole one, instead of the pieces it is set from. */
export function copyFormulas(event: ClipboardEvent): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return;
  const formulas = [...document.querySelectorAll('[data-formula]')].filter(formula =>
    selection.containsNode(formula, true),
  );
  const [first, last] = [formulas[0], formulas.at(-1)];
  if (!first || !last) return;
  const range = selection.getRangeAt(0);
  if (first.contains(range.startContainer)) range.setStartBefore(first);
  if (last.contains(range.endContainer)) range.setEndAfter(last);
  formulas.forEach(turn);
  event.clipboardData?.setData('text/plain', selection.toString());
  formulas.forEach(turn);
  event.preventDefault();
}

/** Shows the source in place of the formula, or the other way round. */
function turn(formula: Element): void {
  for (const side of formula.children) side.toggleAttribute('hidden');
}
