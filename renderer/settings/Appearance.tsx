import type { Settings } from '../../shared/settings.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Callout } from '../ui/Callout.tsx';
import { Select } from '../ui/Select.tsx';
import styles from './ModelForms.module.css';
import { useAction } from './useAction.ts';

const themes: { value: Settings['theme']; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** How Parley looks, which Parley it is, and where it keeps things. */
export function Appearance() {
  const theme = useSettings(state => state.settings.theme);
  const app = useSettings(state => state.app);
  const { run, error } = useAction();
  return (
    <div className={styles.form}>
      <Select
        label="Theme"
        value={theme}
        options={themes}
        onChange={value => void run(() => request('settings.update', { theme: value as Settings['theme'] }))}
      />
      {error && <Callout tone="danger" error={error} />}
      <dl className={styles.facts}>
        <dt>Version</dt>
        <dd>{app.version}</dd>
        <dt>Data directory</dt>
        <dd>
          <code>{app.dataDir}</code>
        </dd>
      </dl>
    </div>
  );
}
