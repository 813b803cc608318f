import { asksForSecret, type Field, type FieldValue, valueIn } from '../../shared/elicitation.ts';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Choices } from './Choices.tsx';
import styles from './FieldInput.module.css';
import { limitsOf } from './limits.ts';
import type { Fields } from './useFields.ts';

/** One field of a question, whatever its kind. */
export function FieldInput({ field, state }: { field: Field; state: Fields }) {
  const secret = asksForSecret(field);
  return (
    <div data-field={field.name} onBlur={() => state.leave(field.name)}>
      <Control
        field={field}
        value={valueIn(state.values, field.name)}
        error={valueIn(state.errors, field.name) as string | undefined}
        onChange={value => state.change(field.name, value)}
      />
      {secret && (
        <p className={styles.warning} role="note">
          This looks like a question for a password or key. A server should never ask for one in a form: do
          not enter a real one unless you are sure.
        </p>
      )}
    </div>
  );
}

interface ControlProps {
  field: Field;
  value: FieldValue;
  error: string | undefined;
  onChange(value: FieldValue): void;
}

function Control({ field, value, error, onChange }: ControlProps) {
  const common = {
    label: field.title,
    required: field.required,
    hint: [field.description, limitsOf(field)].filter(Boolean).join(' '),
    error,
  };
  const typed = typeof value === 'string' ? value : '';
  switch (field.kind) {
    case 'boolean':
      return (
        <Choices
          {...common}
          multiple={false}
          options={yesNo}
          chosen={value === undefined ? [] : [String(value)]}
          onChange={([key]) => onChange(key === undefined ? undefined : key === 'true')}
        />
      );
    case 'multiselect':
      return (
        <Choices
          {...common}
          multiple
          options={field.options}
          chosen={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      );
    case 'select':
      if (field.options.length <= FEW)
        return (
          <Choices
            {...common}
            multiple={false}
            options={field.options}
            chosen={typed === '' ? [] : [typed]}
            onChange={([key]) => onChange(key ?? '')}
          />
        );
      return (
        <Select
          {...common}
          value={typed}
          placeholder="Choose…"
          options={[
            ...(field.required ? [] : [{ value: NONE, label: 'No answer' }]),
            ...field.options.map(({ key, title }) => ({ value: key, label: title })),
          ]}
          onChange={key => onChange(key === NONE ? '' : key)}
        />
      );
    case 'unsupported':
      return (
        <TextField
          {...common}
          hint={`${common.hint} Written as JSON.`.trim()}
          value={typed}
          onChange={onChange}
          multiline
          code
        />
      );
    default:
      return <TextInput field={field} common={common} typed={typed} onChange={onChange} />;
  }
}
