import { X } from 'lucide-react';
import { Dialog as Headless } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './Dialog.module.css';
import { IconButton } from './IconButton.tsx';
import { belongsToInputMethod } from './inputMethod.ts';

interface Props {
  title: string;
  onClose(): void;
  wide?: boolean;
  children: ReactNode;
  /** The buttons. */
  footer?: ReactNode;
}

/** A dialog over the window; Esc and the cross close it. It is open as long as it is rendered. */
export function Dialog({ title, onClose, wide, children, footer }: Props) {
  return (
    <Headless.Root open onOpenChange={open => !open && onClose()}>
      <Headless.Portal>
        <Headless.Overlay className={styles.overlay}>
          <Headless.Content
            className={styles.dialog}
            data-wide={wide}
            aria-describedby={undefined}
            onEscapeKeyDown={event => {
              if (belongsToInputMethod(event)) event.preventDefault();
            }}
            // What was typed is not lost to a stray click beside the dialog.
            onInteractOutside={event => event.preventDefault()}
          >
            <header className={styles.header}>
              <Headless.Title className={styles.title}>{title}</Headless.Title>
              <Headless.Close asChild>
                <IconButton label="Close">
                  <X size={18} aria-hidden="true" />
                </IconButton>
              </Headless.Close>
            </header>
            {children}
            {footer && <footer className={styles.footer}>{footer}</footer>}
          </Headless.Content>
        </Headless.Overlay>
      </Headless.Portal>
    </Headless.Root>
  );
}
