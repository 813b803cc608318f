import { type FormEvent, useId, useState } from 'react';
import type { AskOf } from '../../shared/asks.ts';
import { fitsForm, readArguments } from '../../shared/editedArguments.ts';
import type { JsonObject } from '../../shared/tools.ts';
import { TextField } from '../ui/TextField.tsx';
import { FieldsForm } from './FieldsForm.tsx';
import { useFields } from './useFields.ts';
import { useTexts } from './useTexts.ts';

interface Props {
  ask: AskOf<'approval'>;
  /** For the button that sends it from outside. */
  formId: string;
  onSend(args: JsonObject): void;
}

/** Changes what a call is to be made with: as a form where that can hold all of it, else as JSON. */
export function ArgumentsEditor(props: Props) {
  const { ask } = props;
  return fitsForm(ask.inputSchema, ask.args) ? <AsForm {...props} /> : <AsJson {...props} />;
}

function AsForm({ ask, formId, onSend }: Props) {
  const state = useFields(ask.id, ask.inputSchema, ask.args);
  return <FieldsForm id={formId} state={state} onSend={onSend} />;
}

/** The name of the draft; no field of a form is called that. */
const DRAFT = '\u0000arguments';

function AsJson({ ask, formId, onSend }: Props) {
  const { textOf, change } = useTexts(ask.id);
  const [problem, setProblem] = useState<string>();
  const fieldId = useId();
  const text = textOf(DRAFT, JSON.stringify(ask.args, null, 2));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const read = readArguments(text);
    if ('args' in read) return onSend(read.args);
    setProblem(read.problem);
    document.getElementById(fieldId)?.querySelector('textarea')?.focus();
  };
  return (
    <form id={formId} onSubmit={onSubmit}>
      <div id={fieldId}>
        <TextField
          label="Arguments as JSON"
          multiline
          code
          rows={Math.min(16, text.split('\n').length + 1)}
          value={text}
          error={problem}
          onChange={value => {
            change(DRAFT, value);
            setProblem(undefined);
          }}
        />
      </div>
    </form>
  );
}
