import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { TextField } from '../ui/TextField.tsx';
import { type ImportedServer, parseImport } from './importJson.ts';
import styles from './ServerForm.module.css';

interface Props {
  text: string;
  onChange(text: string): void;
  names: readonly string[];
  onCancel(): void;
  onNext(servers: ImportedServer[]): void;
}

/** Servers out of the JSON that their own instructions give for other programs. */
export function PasteForm({ text, onChange, names, onCancel, onNext }: Props) {
  const read = parseImport(text);
  const fresh = 'error' in read ? [] : read.servers.filter(({ name }) => !names.includes(name));
  const taken = 'error' in read ? [] : read.servers.filter(({ name }) => names.includes(name));
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault();
        if (fresh.length > 0) onNext(fresh);
      }}
    >
      <TextField
        label="Server configuration"
        hint='As in {"mcpServers": {"name": {"command": "npx", "args": ["-y", "some-server"]}}}'
        error={text.trim() !== '' && 'error' in read ? read.error : undefined}
        value={text}
        onChange={onChange}
        multiline
        code
      />
      {'problems' in read &&
        read.problems.map(({ name, message }) => (
          <Callout key={name} tone="warning" title={`${name || 'An entry'} cannot be added`}>
            {message}
          </Callout>
        ))}
      {taken.map(({ name }) => (
        <Callout key={name} tone="warning" title={`${name} is left out`}>
          There is a server of this name already.
        </Callout>
      ))}
      {fresh.length > 0 && <p className={styles.found}>Found: {fresh.map(({ name }) => name).join(', ')}</p>}
      <footer className={styles.actions}>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="primary" type="submit" disabled={fresh.length === 0}>
          Continue
        </Button>
      </footer>
    </form>
  );
}
