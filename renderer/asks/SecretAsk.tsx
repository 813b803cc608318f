import { KeyRound } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import type { AskOf } from '../../shared/asks.ts';
import { Button } from '../ui/Button.tsx';
import { TextField } from '../ui/TextField.tsx';
import { AskCard } from './AskCard.tsx';
import { HiddenText } from './HiddenText.tsx';
import { KeepPlain } from './KeepPlain.tsx';
import { useAnswer } from './useAnswer.ts';

/** The entry of a server refers to a secret that is not stored. */
export function SecretAsk({ ask }: { ask: AskOf<'secret'> }) {
  const { answer, busy, settled, error } = useAnswer(ask);
  const [value, setValue] = useState('');
  const [keep, setKeep] = useState(false);
  const formId = useId();
  const cancel = () => answer({ action: 'cancel' });
  const give = (event: FormEvent) => {
    event.preventDefault();
    if (settled && value !== '') answer({ action: 'give', value, acceptPlain: keep });
  };
  return (
    <AskCard
      icon={<KeyRound size={18} />}
      server={ask.server}
      lead="for the server"
      title={
        <>
          Enter the secret “<HiddenText text={ask.name} />”
        </>
      }
      error={error}
      onEscape={cancel}
      actions={
        <>
          <Button variant="primary" type="submit" form={formId} disabled={busy || !settled || value === ''}>
            {ask.canEncrypt ? 'Store it encrypted' : keep ? 'Store it' : 'Use it until Parley closes'}
          </Button>
          <Button variant="ghost" disabled={busy} onClick={cancel}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={give}>
        <TextField
          label="Secret"
          type="password"
          required
          hint={`servers.json refers to it for ${ask.usedFor}. Only this server gets it.`}
          value={value}
          onChange={setValue}
        />
      </form>
      {!ask.canEncrypt && (
        <KeepPlain checked={keep} onChange={setKeep}>
          Keep it after Parley closes
        </KeepPlain>
      )}
    </AskCard>
  );
}
