import { FolderPlus, X } from 'lucide-react';
import { useId } from 'react';
import { HiddenText } from '../asks/HiddenText.tsx';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import styles from './Folders.module.css';
import { useAction } from './useAction.ts';

/** The folders that a server is told of: picked with the system's dialog, never typed. */
export function Folders({
  folders,
  onChange,
}: {
  folders: readonly string[];
  onChange(folders: string[]): void;
}) {
  const id = useId();
  const picking = useAction();
  const pick = () =>
    picking.run(async () => {
      const { path } = await request('app.pickFolder', undefined);
      if (path !== undefined && !folders.includes(path)) onChange([...folders, path]);
    });
  return (
    <fieldset className={styles.folders} aria-describedby={`${id}-hint`}>
      <legend className={styles.legend}>Folders to work in</legend>
      <p id={`${id}-hint`} className={styles.hint}>
        The server is told where these are. It is a hint to it, not a fence around it.
      </p>
      {folders.length > 0 && (
        <ul className={styles.list}>
          {folders.map(path => (
            <li key={path} className={styles.folder}>
              <code className={styles.path}>
                <HiddenText text={path} />
              </code>
              <IconButton
                label={`Remove the folder ${path}`}
                onClick={() => onChange(folders.filter(one => one !== path))}
              >
                <X size={16} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button size="small" disabled={picking.busy} onClick={() => void pick()}>
          <FolderPlus size={14} aria-hidden="true" /> Add folder…
        </Button>
      </div>
      {picking.error && <Callout tone="danger" error={picking.error} />}
    </fieldset>
  );
}
