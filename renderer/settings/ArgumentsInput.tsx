import { TextField } from '../ui/TextField.tsx';
import styles from './ServerForm.module.css';
import { argsOf, type ServerDraft } from './serverDraft.ts';

interface Props {
  draft: ServerDraft;
  error: string | undefined;
  onChange(part: Partial<ServerDraft>): void;
}

/** Arguments, one in each line or as in a shell, and what the program will get of them. */
export function ArgumentsInput({ draft, error, onChange }: Props) {
  const read = argsOf(draft);
  const shell = draft.argsAs === 'shell';
  return (
    <div className={styles.arguments}>
      <TextField
        label="Arguments"
        code
        multiline
        hint={
          shell
            ? 'As in a shell: blanks separate, quotes hold together. Nothing is expanded.'
            : 'One in each line, exactly as it is passed.'
        }
        error={error}
        value={draft.args}
        onChange={args => onChange({ args })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={shell}
          onChange={event => onChange({ argsAs: event.target.checked ? 'shell' : 'lines' })}
        />
        Read them as a shell does
      </label>
      {'words' in read && read.words.length > 0 && (
        <ol className={styles.words} aria-label="Arguments as they are passed">
          {read.words.map((word, index) => (
            // A word is its place.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={index}>
              <code>{word === '' ? '(empty)' : word}</code>
            </li>
          ))}
        </ol>
      )}
      {'error' in read && !error && <p className={styles.suggestion}>{read.error}</p>}
    </div>
  );
}
