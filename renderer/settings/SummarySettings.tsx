import { useState } from 'react';
import { SettingsPatch } from '../../shared/settings.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Callout } from '../ui/Callout.tsx';
import { Switch } from '../ui/Switch.tsx';
import { TextField } from '../ui/TextField.tsx';
import styles from './ModelForms.module.css';
import { useAction } from './useAction.ts';

/** Whether and when earlier messages are summarised by themselves. */
export function SummarySettings() {
  const { autoSummarise, summariseAt } = useSettings(state => state.settings);
  const [at, setAt] = useState(String(summariseAt));
  const { run, busy, error } = useAction();
  const patch = SettingsPatch.safeParse({ summariseAt: Number(at) });
  return (
    <div className={styles.form}>
      <Switch
        label="Summarise earlier messages near the end of the window"
        checked={autoSummarise}
        disabled={busy}
        onChange={on => void run(() => request('settings.update', { autoSummarise: on }))}
      />
      {autoSummarise && (
        <TextField
          label="From how much of the window on, in percent"
          inputMode="numeric"
          error={patch.success ? undefined : 'Enter a whole number from 20 to 95.'}
          value={at}
          onChange={text => {
            setAt(text);
            const next = SettingsPatch.safeParse({ summariseAt: Number(text) });
            if (next.success) void run(() => request('settings.update', next.data));
          }}
        />
      )}
      {error && <Callout tone="danger" error={error} />}
    </div>
  );
}
