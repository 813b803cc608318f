import { type FormEvent, useState } from 'react';
import { KEPT_VALUE } from '../../shared/servers.ts';
import { type ModelStatus, SettingsPatch } from '../../shared/settings.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { TextField } from '../ui/TextField.tsx';
import styles from './ModelForms.module.css';
import { Rows } from './Rows.tsx';
import { type Row, recordOf, rowsOf } from './serverDraft.ts';
import { useAction } from './useAction.ts';

const sources: Record<ModelStatus['baseUrlFrom'], string> = {
  default: "Empty: the provider's own",
  environment: 'Empty: from the environment variable ANTHROPIC_BASE_URL',
  settings: 'Set here. Empty it to go back',
};

/** Where requests go and what goes with them. */
export function EndpointForm({ status }: { status: ModelStatus }) {
  const settings = useSettings(state => state.settings);
  const [baseUrl, setBaseUrl] = useState(settings.baseUrl ?? '');
  const [maxTokens, setMaxTokens] = useState(String(settings.maxTokens));
  const [rows, setRows] = useState<Row[]>();
  const [saved, setSaved] = useState(false);
  const { run, busy, error } = useAction();

  const kept = rowsOf(Object.fromEntries(status.headers.map(name => [name, KEPT_VALUE])));
  const patch = SettingsPatch.safeParse({
    baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
    maxTokens: Number(maxTokens),
  });
  const wrong = (field: 'baseUrl' | 'maxTokens') =>
    patch.success ? false : patch.error.issues.some(issue => issue.path[0] === field);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!patch.success) return;
    const done = await run(async () => {
      await request('settings.update', patch.data);
      if (rows) await request('model.setHeaders', { headers: recordOf(rows) });
    });
    setSaved(done);
    if (done) setRows(undefined);
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={event => void save(event)}
      onChange={() => setSaved(false)}
    >
      <TextField
        label="Base URL"
        type="url"
        code
        placeholder={status.baseUrl}
        hint={`Any endpoint that speaks the Anthropic Messages API. ${sources[status.baseUrlFrom]}.`}
        error={wrong('baseUrl') ? 'Enter the whole address, such as https://example.com.' : undefined}
        value={baseUrl}
        onChange={setBaseUrl}
      />
      <Rows
        legend="Extra headers"
        hint="Sent with every request to the endpoint."
        noun="header"
        rows={rows ?? kept}
        error={undefined}
        onChange={setRows}
      />
      <TextField
        label="Longest answer in tokens"
        inputMode="numeric"
        error={wrong('maxTokens') ? 'Enter a whole number from 256 to 128000.' : undefined}
        value={maxTokens}
        onChange={setMaxTokens}
      />
      {error && <Callout tone="danger" error={error} />}
      <div className={styles.test}>
        <Button type="submit" disabled={busy || !patch.success}>
          Save endpoint
        </Button>
        <span role="status">{saved && 'Saved.'}</span>
      </div>
    </form>
  );
}
