import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Message } from '../../shared/chat.ts';
import { act } from '../stores/app.ts';
import { showMessage } from '../stores/openBranch.ts';
import { IconButton } from '../ui/IconButton.tsx';
import styles from './BranchSwitcher.module.css';

interface Props {
  message: Message;
  /** Why it cannot be used right now. */
  off: string | undefined;
}

/** ‹ 2 / 3 ›: goes to another version of this message, and to what followed it. Nothing while there is only one. */
export function BranchSwitcher({ message, off }: Props) {
  const { id, versions } = message;
  if (!versions) return null;
  const at = versions.indexOf(id);
  const show = async (step: -1 | 1) => {
    const wanted = versions[at + step];
    if (off !== undefined || wanted === undefined) return;
    await showMessage(wanted);
    // The button that was pressed is gone with its message.
    requestAnimationFrame(() => buttonOf(wanted, step)?.focus({ preventScroll: true }));
  };
  const button = (step: -1 | 1, label: string) => (
    <IconButton
      label={off === undefined ? label : `${label}: ${off}`}
      disabled={versions[at + step] === undefined}
      aria-disabled={off !== undefined}
      data-step={step}
      onClick={() => act(show(step))}
    >
      {step === -1 ? (
        <ChevronLeft size={15} aria-hidden="true" />
      ) : (
        <ChevronRight size={15} aria-hidden="true" />
      )}
    </IconButton>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <span className={styles.switcher} role="group" aria-label={`Version ${at + 1} of ${versions.length}`}>
      {button(-1, 'Previous version')}
      <span className={styles.count} aria-hidden="true">
        {at + 1} / {versions.length}
      </span>
      {button(1, 'Next version')}
    </span>
  );
}

/** The same button again, or the other one where this is the end. */
function buttonOf(messageId: string, step: number): HTMLElement | null {
  const message = document.querySelector(`[data-message="${CSS.escape(messageId)}"]`);
  return (
    message?.querySelector<HTMLElement>(`[data-step="${step}"]:enabled`) ??
    message?.querySelector<HTMLElement>('[data-step]:enabled') ??
    null
  );
}
