import { useState } from 'react';
import { Field } from '../ui/Field.tsx';
import { TextField } from '../ui/TextField.tsx';
import { AuthDetails } from './AuthDetails.tsx';
import styles from './AuthFields.module.css';
import { type AuthDraft, type AuthErrors, authOf } from './authDraft.ts';
import { SecretInput } from './SecretInput.tsx';

interface Props {
  auth: AuthDraft;
  errors: AuthErrors;
  /** The person writes the Authorization header themselves: then nobody signs in. */
  hasOwnHeader: boolean;
  onChange(auth: AuthDraft): void;
}

/** How Parley is let in by a remote server, for those that do not let it register itself. */
export function AuthFields({ auth, errors, hasOwnHeader, onChange }: Props) {
  const [wasUsed] = useState(() => authOf(auth) !== undefined);
  const [isOpen, setOpen] = useState(wasUsed);
  const hasErrors = Object.keys(errors).length > 0;
  const text = (field: 'clientId' | 'scope' | 'clientMetadataUrl') => ({
    value: auth[field],
    error: errors[field],
    onChange: (value: string) => onChange({ ...auth, [field]: value }),
  });
  return (
    <details
      className={styles.section}
      open={isOpen || hasErrors}
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary className={styles.summary}>Authorization</summary>
      <div className={styles.fields}>
        <p className={styles.hint}>
          {hasOwnHeader
            ? 'Not used as long as there is a header Authorization.'
            : 'Most servers need nothing here: Parley registers itself and asks you to sign in.'}
        </p>
        {Object.keys(auth.rest).length > 0 && (
          <div className={styles.rest}>
            <p className={styles.hint}>Set in servers.json, and kept:</p>
            <AuthDetails auth={auth.rest} />
          </div>
        )}
        <TextField
          label="Client ID"
          code
          hint="If Parley has been registered there by hand."
          {...text('clientId')}
        />
        <Field
          label="Client secret"
          hint="If it got one. ${secret:NAME} keeps it out of servers.json: Parley asks you for it once."
          error={errors.clientSecret}
        >
          {ids => (
            <SecretInput
              {...ids}
              of="the client secret"
              label="Client secret"
              value={auth.clientSecret}
              onChange={clientSecret => onChange({ ...auth, clientSecret })}
            />
          )}
        </Field>
        <TextField
          label="Scope"
          code
          hint="The rights to ask for where the server does not name any, with spaces between them."
          {...text('scope')}
        />
        <TextField
          label="Client metadata URL"
          code
          type="url"
          hint="Where a document about this client is, for servers that read such documents."
          {...text('clientMetadataUrl')}
        />
      </div>
    </details>
  );
}
