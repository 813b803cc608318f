import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

interface Props {
  title: string;
  /** The word on the button that submits. */
  action: string;
  wide?: boolean;
  /** How the fields are laid out. */
  className: string | undefined;
  onClose(): void;
  onSubmit(): void;
  children: ReactNode;
}

/** A dialog around one form, with the buttons that leave and submit it. */
export function FormDialog({ title, action, wide = false, className, onClose, onSubmit, children }: Props) {
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog
      title={title}
      wide={wide}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={form}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className={className} onSubmit={submit}>
        {children}
      </form>
    </Dialog>
  );
}
