import { localDateTime } from '../../shared/dateTime.ts';
import type { Field } from '../../shared/elicitation.ts';
import { TextField } from '../ui/TextField.tsx';

interface Props {
  frame: { label: string; required: boolean; hint: string | undefined; error: string | undefined };
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
      return <TextField {...common} type="date" />;
    case 'date-time':
      return (
        <TextField {...common} type="datetime-local" value={localDateTime(text)?.replace(/:00$/, '') ?? ''} />
      );
    case 'email':
      return <TextField {...common} inputMode="email" />;
    case 'uri':
      return <TextField {...common} inputMode="url" />;
    default:
      return <TextField {...common} multiline={maxLength >= LONG || text.includes('\n')} />;
  }
}
