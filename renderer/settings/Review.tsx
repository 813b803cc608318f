import { TriangleAlert } from 'lucide-react';
import { HiddenText } from '../asks/HiddenText.tsx';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import type { ImportedServer } from './importJson.ts';
import styles from './Review.module.css';
import { RunDetails } from './RunDetails.tsx';
import type { Action } from './useAction.ts';

interface Props {
  servers: readonly ImportedServer[];
  editing: boolean;
  saving: Action;
  onBack(): void;
  onSave(disabled: boolean): void;
}

/** The last look before a program is allowed to run. */
export function Review({ servers, editing, saving, onBack, onSave }: Props) {
  const runs = servers.some(({ config }) => config.type === 'stdio');
  const isAnyOn = servers.some(({ config }) => config.disabled !== true);
  const goOn = editing ? 'Save and restart' : !isAnyOn ? 'Add' : runs ? 'Add and start' : 'Add and connect';
  return (
    <div className={styles.review}>
      {runs && (
        <Callout tone="warning" icon={<TriangleAlert size={18} />}>
          This runs a program on your computer with your rights: it can read and change your files and use the
          network. Go on only if you know where it comes from and trust it.
        </Callout>
      )}
      {servers.map(({ name, config, ignored }) => (
        <section key={name} className={styles.server} aria-label={name}>
          <h3>
            <HiddenText text={name} />
          </h3>
          <RunDetails config={config} />
          {config.disabled && <p className={styles.note}>Stays switched off until you switch it on.</p>}
          {ignored.length > 0 && (
            <p className={styles.note}>Left out, because Parley does not use it: {ignored.join(', ')}.</p>
          )}
        </section>
      ))}
      {saving.error && <Callout tone="danger" error={saving.error} />}
      <footer className={styles.actions}>
        <Button variant="ghost" onClick={onBack}>
          Back
        </Button>
        {!editing && isAnyOn && (
          <Button disabled={saving.busy} onClick={() => onSave(true)}>
            Add switched off
          </Button>
        )}
        <Button variant="primary" disabled={saving.busy} onClick={() => onSave(false)}>
          {goOn}
        </Button>
      </footer>
    </div>
  );
}
