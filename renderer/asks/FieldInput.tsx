import { offsetOf } from '../../shared/dateTime.ts';
import { type Field, type FieldValue, valueIn } from '../../shared/elicitation.ts';
import { limitsOf } from '../../shared/fieldLimits.ts';
import { revealHiddenText } from '../../shared/hiddenCharacters.ts';
import { asksForSecret } from '../../shared/secretFields.ts';
import { Combobox } from '../ui/Combobox.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Choices } from './Choices.tsx';
import { SwitchInput } from './SwitchInput.tsx';
import { type Frame, TextInput } from './TextInput.tsx';
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
    </div>
  );
}

/** Said beside a field that seems to ask for a secret. */
const SECRET =
  'This looks like a question for a secret. Servers must not ask for passwords, keys, card numbers or PINs in a form: ' +
  'they, and whoever they pass it on to, see what you enter. Do not enter a real one.';

interface ControlProps {
  field: Field;
  value: FieldValue;
  error: string | undefined;
  onChange(value: FieldValue): void;
}

/** Up to so many answers are all in sight; more go into a list, and those of a long list are found by typing. */
const FEW = 5;
const MANY = 8;

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
    warning: asksForSecret(field) ? SECRET : undefined,
    error: error && revealHiddenText(error),
  };
  const text = typeof value === 'string' ? value : '';
  switch (field.kind) {
    case 'boolean':
      if (typeof field.default === 'boolean')
        return <SwitchInput {...frame} checked={value === true} onChange={onChange} />;
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
  frame: Frame;
  field: Field;
  text: string;
  onChange(value: string): void;
}

function List({ frame, field, text, onChange }: ListProps) {
  const options = field.options.map(({ key, title, description }) => ({
    value: key,
    label: revealHiddenText(title),
    ...(description === undefined ? {} : { description: revealHiddenText(description) }),
  }));
  if (options.length > MANY)
    return <Combobox {...frame} value={text} options={options} onChange={onChange} />;
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
    formatHint(field),
  ];
  return words.filter(Boolean).join(' ') || undefined;
}

function formatHint({ kind, constraints, format }: Field): string | undefined {
  if (kind === 'unsupported') return 'Written as JSON.';
  if (constraints.format === 'date') return 'Year, month and day, like 2026-07-28.';
  if (constraints.format === 'date-time')
    return `Like 2026-07-28 09:30, in your time zone (UTC${offsetOf(new Date())}) unless you add another one.`;
  return format && format !== 'password' ? `Format: ${revealHiddenText(format)}.` : undefined;
}
