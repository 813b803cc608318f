import { type FocusEvent, type FormEvent, type KeyboardEvent, useRef } from 'react';
import type { JsonObject } from '../../shared/tools.ts';
import { belongsToInputMethod } from '../ui/inputMethod.ts';
import { FieldInput } from './FieldInput.tsx';
import styles from './FieldsForm.module.css';
import type { Fields } from './useFields.ts';

interface Props {
  /** For the buttons that send it from outside: `<button form={id}>`. */
  id: string;
  state: Fields;
  onSend(content: JsonObject): void;
}

/** The fields of a question. Sending with something wrong leads to the first field that is. */
export function FieldsForm({ id, state, onSend }: Props) {
  const ref = useRef<HTMLFormElement>(null);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const result = state.submit();
    if ('content' in result) onSend(result.content);
    else focusField(ref.current, result.firstWrong);
  };
  // Enter that ends a word of an input method does not send the form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && belongsToInputMethod(event)) event.preventDefault();
  };
  // A field has been left when the focus goes to neither another part of it nor its open list.
  const onBlur = ({ target, relatedTarget: next }: FocusEvent) => {
    const field = target.closest<HTMLElement>('[data-field]');
    const name = field?.dataset.field;
    if (!field || name === undefined) return;
    if (next instanceof Element && (field.contains(next) || next.closest('[role="listbox"]'))) return;
    state.leave(name);
  };
  return (
    <form
      id={id}
      ref={ref}
      className={styles.form}
      noValidate
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      {state.fields.map(field => (
        <FieldInput key={field.name} field={field} state={state} />
      ))}
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
