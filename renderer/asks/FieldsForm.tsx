import { type FormEvent, type KeyboardEvent, type ReactNode, useRef } from 'react';
import type { JsonObject } from '../../shared/tools.ts';
import { FieldInput } from './FieldInput.tsx';
import styles from './FieldsForm.module.css';
import type { Fields } from './useFields.ts';

interface Props {
  /** For the buttons that send it from outside: `<button form={id}>`. */
  id: string;
  state: Fields;
  onSend(content: JsonObject): void;
  children?: ReactNode;
}

/** The fields of a question. Sending with something wrong leads to the first field that is. */
export function FieldsForm({ id, state, onSend, children }: Props) {
  const ref = useRef<HTMLFormElement>(null);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const result = state.submit();
    if ('content' in result) onSend(result.content);
    else focusField(ref.current, result.firstWrong);
  };
  // Enter that ends a word of an input method does not send the form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.nativeEvent.isComposing || event.keyCode === 229))
      event.preventDefault();
  };
  return (
    <form id={id} ref={ref} className={styles.form} noValidate onSubmit={onSubmit} onKeyDown={onKeyDown}>
      {state.fields.map(field => (
        <FieldInput key={field.name} field={field} state={state} />
      ))}
      {children}
    </form>
  );
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const field = [...(form?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find(
    element => element.dataset.field === name,
  );
  field?.scrollIntoView({ block: 'nearest' });
  field?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true });
}
