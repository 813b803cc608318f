import { Check, ChevronDown } from 'lucide-react';
import { Select as Headless } from 'radix-ui';
import { Field, type FieldProps } from './Field.tsx';
import styles from './Select.module.css';

interface Props extends FieldProps {
  value: string;
  options: readonly { value: string; label: string }[];
  onChange(value: string): void;
  placeholder?: string;
  disabled?: boolean;
}

/** One choice of many. */
export function Select({
  label,
  hideLabel,
  hint,
  error,
  required,
  value,
  options,
  onChange,
  placeholder,
  disabled,
}: Props) {
  const frame = {
    label,
    hint,
    error,
    ...(hideLabel ? { hideLabel } : {}),
    ...(required ? { required } : {}),
  };
  return (
    <Field {...frame}>
      {ids => (
        <Headless.Root value={value} onValueChange={onChange} disabled={disabled ?? false}>
          <Headless.Trigger {...ids} className={styles.trigger} aria-label={label}>
            <span className={styles.value}>
              <Headless.Value placeholder={placeholder} />
            </span>
            <Headless.Icon>
              <ChevronDown size={16} aria-hidden="true" />
            </Headless.Icon>
          </Headless.Trigger>
          <Headless.Portal>
            <Headless.Content className={styles.list} position="popper" sideOffset={4}>
              <Headless.Viewport>
                {options.map(option => (
                  <Headless.Item key={option.value} value={option.value} className={styles.item}>
                    <Headless.ItemText>{option.label}</Headless.ItemText>
                    <Headless.ItemIndicator className={styles.check}>
                      <Check size={14} aria-hidden="true" />
                    </Headless.ItemIndicator>
                  </Headless.Item>
                ))}
              </Headless.Viewport>
            </Headless.Content>
          </Headless.Portal>
        </Headless.Root>
      )}
    </Field>
  );
}
