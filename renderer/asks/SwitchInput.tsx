import { useId } from 'react';
import { Switch } from '../ui/Switch.tsx';
import styles from './SwitchInput.module.css';

interface Props {
  label: string;
  hint: string | undefined;
  checked: boolean;
  onChange(checked: boolean): void;
}

/** Yes or no, where the server says what it is before anybody answers. */
export function SwitchInput({ label, hint, checked, onChange }: Props) {
  const id = useId();
  return (
    <div>
      <Switch label={label} checked={checked} onChange={onChange} describedBy={hint && id} />
      {hint && (
        <p id={id} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
