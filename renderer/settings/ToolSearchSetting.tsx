import { ToolSearch } from '../../shared/settings.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Callout } from '../ui/Callout.tsx';
import { Select } from '../ui/Select.tsx';
import styles from './ModelForms.module.css';
import { useAction } from './useAction.ts';

const words: Record<ToolSearch, string> = {
  automatic: 'When they would take much of its window',
  always: 'Always',
  never: 'Never: it is given all of them',
};

/** Whether models search the tools instead of being given all of them. */
export function ToolSearchSetting() {
  const chosen = useSettings(state => state.settings.toolSearch);
  const { run, error } = useAction();
  return (
    <div className={styles.form}>
      <Select
        label="The model searches the tools"
        value={chosen}
        options={ToolSearch.options.map(value => ({ value, label: words[value] }))}
        hint="It then has a few of them, and those that it found in the conversation. The gauge of a conversation says how many."
        onChange={value =>
          void run(() => request('settings.update', { toolSearch: ToolSearch.parse(value) }))
        }
      />
      {error && <Callout tone="danger" error={error} />}
    </div>
  );
}
