import type { KeyboardEvent } from 'react';

/** Of a row of buttons: the arrows go from one to the next, and each can be pressed by its `aria-keyshortcuts`. */
export function toolbarKeys(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')].filter(({ disabled }) => !disabled);
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  if (at === -1) return;
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    buttons.at((at + step) % buttons.length)?.focus();
    return;
  }
  const meant = buttons.find(
    ({ ariaKeyShortcuts }) => ariaKeyShortcuts?.toLowerCase() === event.key.toLowerCase(),
  );
  if (!meant) return;
  event.preventDefault();
  meant.focus();
  meant.click();
}
