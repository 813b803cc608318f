import type { Field } from '../../shared/elicitation.ts';
import { TextField } from '../ui/TextField.tsx';
import { DateInput } from './DateInput.tsx';

/** What stands around every control. */
export interface Frame {
  label: string;
  required: boolean;
  hint: string | undefined;
  warning: string | undefined;
  error: string | undefined;
}

interface Props {
  frame: Frame;
  field: Field;
  text: string;
  onChange(text: string): void;
}

/** From this length on an answer is likely to need several lines. */
const LONG = 200;

/** A field that is typed: text, a number, a date. Numbers are text until they are sent, so that nothing typed is lost. */
export function TextInput({ frame, field, text, onChange }: Props) {
  const { format, maxLength = 0 } = field.constraints;
  const common = { ...frame, value: text, onChange };
  if (field.kind === 'number') return <TextField {...common} inputMode="decimal" />;
  if (field.kind === 'integer') return <TextField {...common} inputMode="numeric" />;
  switch (format) {
    case 'date':
    case 'date-time':
      return <DateInput frame={frame} text={text} withTime={format === 'date-time'} onChange={onChange} />;
    case 'email':
      return <TextField {...common} inputMode="email" />;
    case 'uri':
      return <TextField {...common} inputMode="url" />;
    default:
      return maxLength >= LONG ? <TextField {...common} multiline /> : <TextField {...common} grows />;
  }
}
