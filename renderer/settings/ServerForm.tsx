import { type FormEvent, useRef, useState } from 'react';
import type { ServerConfig } from '../../shared/servers.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { ArgumentsInput } from './ArgumentsInput.tsx';
import { AuthFields } from './AuthFields.tsx';
import { Folders } from './Folders.tsx';
import { Rows } from './Rows.tsx';
import styles from './ServerForm.module.css';
import { commandWithArgs, configOf, hasEras, runsAnew, type ServerDraft } from './serverDraft.ts';
import type { Action } from './useAction.ts';

interface Props {
  draft: ServerDraft;
  onChange(draft: ServerDraft): void;
  taken: readonly string[];
  /** The config that is edited; absent when a server is added. */
  before: ServerConfig | undefined;
  saving: Action;
  onCancel(): void;
  onSave(name: string, config: ServerConfig): void;
}

const TRANSPORTS = [
  { value: 'auto', label: 'Streamable HTTP' },
  { value: 'sse', label: 'Only the old HTTP+SSE' },
];

const ERAS = [
  { value: 'auto', label: 'Find out' },
  { value: 'modern', label: 'Only the modern era (2026-07-28)' },
  { value: 'legacy', label: 'Only the legacy era (before)' },
];

/** One server as a form. */
export function ServerForm({ draft, onChange, taken, before, saving, onCancel, onSave }: Props) {
  const [tried, setTried] = useState(false);
  const ref = useRef<HTMLFormElement>(null);
  const result = configOf(draft, taken, before);
  const errors = tried && 'errors' in result ? result.errors : {};
  const change = (part: Partial<ServerDraft>) => onChange({ ...draft, ...part });
  const text = (field: 'name' | 'command' | 'cwd' | 'url' | 'timeout') => ({
    value: draft[field],
    error: errors[field],
    onChange: (value: string) => change({ [field]: value }),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if ('config' in result) onSave(result.name, result.config);
    else focusFirst(ref.current);
  };
  const split = draft.type === 'stdio' ? commandWithArgs(draft.command) : undefined;
  const reviewed = 'config' in result ? runsAnew(result.config, before) : draft.type === 'stdio';
  return (
    <form ref={ref} className={styles.form} noValidate onSubmit={onSubmit}>
      <TextField label="Name" required hint="How you and the model tell it apart." {...text('name')} />
      {draft.type === 'stdio' ? (
        <>
          <TextField
            label="Command"
            required
            code
            hint="The program to run, such as npx, uvx or docker."
            {...text('command')}
          />
          {split && (
            <p className={styles.suggestion}>
              This holds arguments too.{' '}
              <Button
                size="small"
                onClick={() =>
                  change({
                    command: split.command,
                    args: [...split.args, draft.args].filter(Boolean).join('\n'),
                    argsAs: 'lines',
                  })
                }
              >
                Move them below
              </Button>
            </p>
          )}
          <ArgumentsInput draft={draft} error={errors.args} onChange={change} />
          <Rows
            legend="Environment"
            hint="Variables that the program gets on top of a few basics such as PATH. ${secret:NAME} as a value is asked for once and then stored."
            noun="variable"
            rows={draft.env}
            error={errors.env}
            onChange={env => change({ env })}
          />
          <TextField label="Folder" code hint="Where it runs." {...text('cwd')} />
        </>
      ) : (
        <>
          <TextField
            label="URL"
            required
            code
            type="url"
            hint="Where the server's MCP endpoint is, such as https://example.com/mcp."
            {...text('url')}
          />
          <Rows
            legend="Headers"
            hint="Sent with every request, for instance Authorization. A value can be taken from elsewhere: ${secret:NAME} is asked for once and then stored, ${env:NAME} is a variable of your environment."
            noun="header"
            rows={draft.headers}
            error={errors.headers}
            onChange={headers => change({ headers })}
          />
          <Select
            label="Transport"
            hint="The old one is also tried by itself, when the server refuses the new one."
            value={draft.transport}
            options={TRANSPORTS}
            onChange={transport => change({ transport: transport as ServerDraft['transport'] })}
          />
          <AuthFields
            auth={draft.auth}
            errors={errors.auth ?? {}}
            hasOwnHeader={draft.headers.some(({ key }) => key.trim().toLowerCase() === 'authorization')}
            onChange={auth => change({ auth })}
          />
        </>
      )}
      <Folders folders={draft.roots} onChange={roots => change({ roots })} />
      {hasEras(draft) && (
        <Select
          label="Protocol"
          hint="Parley asks the server once which era it speaks. Choose only when that goes wrong."
          value={draft.era}
          options={ERAS}
          onChange={era => change({ era: era as ServerDraft['era'] })}
        />
      )}
      <TextField
        label="Time limit in seconds"
        inputMode="decimal"
        hint="How long a request may stay silent; empty: the default."
        {...text('timeout')}
      />
      {saving.error && <Callout tone="danger" error={saving.error} />}
      <footer className={styles.actions}>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="primary" type="submit" disabled={saving.busy}>
          {reviewed ? 'Continue' : before ? 'Save' : 'Add and connect'}
        </Button>
      </footer>
    </form>
  );
}

/** The messages appear with the next drawing, so the first marked field is looked for after it. */
function focusFirst(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
