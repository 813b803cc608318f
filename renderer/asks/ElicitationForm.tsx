import { MessageCircleQuestion } from 'lucide-react';
import { useId, useMemo } from 'react';
import type { AskOf } from '../../shared/asks.ts';
import { readForm } from '../../shared/elicitationForm.ts';
import type { JsonObject } from '../../shared/tools.ts';
import { Button } from '../ui/Button.tsx';
import { AskCard } from './AskCard.tsx';
import styles from './ElicitationForm.module.css';
import { FieldsForm } from './FieldsForm.tsx';
import { HiddenText } from './HiddenText.tsx';
import { useAnswer } from './useAnswer.ts';
import { useFields } from './useFields.ts';

/** A server asks for structured input. Without fields it is a question to agree to. */
export function ElicitationForm({ ask }: { ask: AskOf<'elicitation'> }) {
  const { answer, busy, settled, error } = useAnswer(ask);
  const { leftOut } = useMemo(() => readForm(ask.schema), [ask.schema]);
  const state = useFields(ask.id, ask.schema, undefined, fieldsOf);
  const formId = useId();
  const cancel = () => answer({ action: 'cancel' });
  return (
    <AskCard
      icon={<MessageCircleQuestion size={18} />}
      server={ask.server}
      lead="asked by the server"
      title="A question for you"
      error={error}
      onEscape={cancel}
      actions={
        <>
          <Button variant="primary" type="submit" form={formId} disabled={busy || !settled}>
            {state.fields.length === 0 ? 'Agree' : 'Send answer'}
          </Button>
          <Button disabled={busy || !settled} onClick={() => answer({ action: 'decline' })}>
            Decline
          </Button>
          <Button variant="ghost" disabled={busy} onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      <p className={styles.message}>
        <HiddenText text={ask.message} />
      </p>
      <FieldsForm
        id={formId}
        state={state}
        onSend={content => settled && answer({ action: 'accept', content })}
      />
      {leftOut.length > 0 && (
        <p className={styles.leftOut}>
          {'The server also mentions '}
          {leftOut.map(({ name, title }, index) => (
            <span key={name}>
              {index > 0 && ', '}“<HiddenText text={title} />”
            </span>
          ))}
          {', which no form can ask for. It can do without.'}
        </p>
      )}
    </AskCard>
  );
}

function fieldsOf(schema: JsonObject) {
  return readForm(schema).fields;
}
