import { SquarePen } from 'lucide-react';
import { useId } from 'react';
import type { AskOf } from '../../shared/asks.ts';
import { Button } from '../ui/Button.tsx';
import { AskCard } from './AskCard.tsx';
import { FieldsForm } from './FieldsForm.tsx';
import { HiddenText } from './HiddenText.tsx';
import { useAnswer } from './useAnswer.ts';
import { useFields } from './useFields.ts';

/** Parley itself asks for arguments that it could not read from what was typed. */
export function ArgumentsForm({ ask }: { ask: AskOf<'arguments'> }) {
  const { answer, busy, settled, error } = useAnswer(ask);
  const state = useFields(ask.id, ask.schema, ask.values);
  const formId = useId();
  const cancel = () => answer({ action: 'cancel' });
  return (
    <AskCard
      icon={<SquarePen size={18} />}
      server={ask.server}
      lead="a tool of the server"
      title={
        <>
          What should “<HiddenText text={ask.title ?? ask.tool} />” work with?
        </>
      }
      error={error}
      onEscape={cancel}
      actions={
        <>
          <Button variant="primary" type="submit" form={formId} disabled={busy || !settled}>
            Use these
          </Button>
          <Button variant="ghost" disabled={busy} onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      <FieldsForm
        id={formId}
        state={state}
        onSend={content => settled && answer({ action: 'accept', content })}
      />
    </AskCard>
  );
}
