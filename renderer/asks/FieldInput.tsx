import { type Field, type FieldValue, valueIn } from '../../shared/elicitation.ts';
import { limitsOf } from '../../shared/fieldLimits.ts';
import { revealHiddenText } from '../../shared/hiddenCharacters.ts';
import { asksForSecret } from '../../shared/secretFields.ts';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Choices } from './Choices.tsx';
import styles from './FieldInput.module.css';
import { TextInput } from './TextInput.tsx';
import type { Fields } from './useFields.ts';

/** One field of a question, whatever its kind. */
export function FieldInput({ field, state }: { field: Field; state: Fields }) {
  return (
    <div data-field={field.name}>
      <Control
        field={field}
        value={valueIn(state.values, field.name)}
        error={Object.hasOwn(state.errors, field.name) ? state.errors[field.name] : undefined}
        onChange={value => state.change(field.name, value)}
      />
      {asksForSecret(field) && (
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

/** Up to so many answers are all in sight; more go into a list. */
const FEW = 4;

/** Stands for no answer in a list; no option has a key like it, since keys are JSON. */
const NONE = 'no answer';

const yesNo = [
  { key: 'true', title: 'Yes' },
  { key: 'false', title: 'No' },
];

function Control({ field, value, error, onChange }: ControlProps) {
  const frame = {
    label: revealHiddenText(field.title),
    required: field.required,
    hint: hintOf(field),
    error,
  };
  const text = typeof value === 'string' ? value : '';
  switch (field.kind) {
    case 'boolean':
      return (
        <Choices
          {...frame}
          multiple={false}
          options={yesNo}
          chosen={value === undefined ? [] : [String(value)]}
          onChange={([key]) => onChange(key === undefined ? undefined : key === 'true')}
        />
      );
    case 'multiselect':
      return (
        <Choices
          {...frame}
          multiple
          options={field.options}
          chosen={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      );
    case 'select':
      if (field.options.length > FEW)
        return <List frame={frame} field={field} text={text} onChange={onChange} />;
      return (
        <Choices
          {...frame}
          multiple={false}
          options={field.options}
          chosen={text === '' ? [] : [text]}
          onChange={([key]) => onChange(key ?? '')}
        />
      );
    case 'unsupported':
      return <TextField {...frame} value={text} onChange={onChange} multiline code />;
    default:
      return <TextInput frame={frame} field={field} text={text} onChange={onChange} />;
  }
}

interface ListProps {
  frame: { label: string; required: boolean; hint: string | undefined; error: string | undefined };
  field: Field;
  text: string;
  onChange(value: string): void;
}

function List({ frame, field, text, onChange }: ListProps) {
  const options = field.options.map(({ key, title }) => ({ value: key, label: revealHiddenText(title) }));
  return (
    <Select
      {...frame}
      value={text}
      placeholder="Choose…"
      options={field.required ? options : [{ value: NONE, label: 'No answer' }, ...options]}
      onChange={key => onChange(key === NONE ? '' : key)}
    />
  );
}

function hintOf(field: Field): string | undefined {
  const words = [
    field.description && revealHiddenText(field.description),
    limitsOf(field),
    field.kind === 'unsupported' && 'Written as JSON.',
  ];
  return words.filter(Boolean).join(' ') || undefined;
}
