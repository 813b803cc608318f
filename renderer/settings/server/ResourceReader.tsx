import { RefreshCw } from 'lucide-react';
import type { ResourceContents } from '../../../shared/offers.ts';
import { HiddenText } from '../../asks/HiddenText.tsx';
import { LongText } from '../../chat/LongText.tsx';
import { Button } from '../../ui/Button.tsx';
import { Callout } from '../../ui/Callout.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { dataUri, decodedSize, sizeInWords, toBase64 } from '../../ui/media.ts';
import { SaveButton } from '../../ui/SaveButton.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useAction } from '../useAction.ts';
import styles from './ResourceReader.module.css';
import { useResource } from './useResource.ts';

interface Props {
  server: string;
  uri: string;
  /** Absent: the server does not tell of changes. */
  follow?: { on: boolean; onChange(on: boolean): Promise<unknown> } | undefined;
}

/** A resource as the server gives it: every part by its kind, nothing fetched, nothing run. */
export function ResourceReader({ server, uri, follow }: Props) {
  const { contents, error, readAt, refresh } = useResource(server, uri);
  const following = useAction();
  return (
    <section className={styles.reader} aria-label={`Contents of ${uri}`}>
      <div className={styles.bar}>
        <Button size="small" onClick={refresh}>
          <RefreshCw size={14} aria-hidden="true" /> Read again
        </Button>
        {follow && (
          <Switch
            label="Follow changes"
            checked={follow.on}
            disabled={following.busy}
            onChange={on => void following.run(() => follow.onChange(on))}
          />
        )}
        <span className={styles.address}>
          <code>
            <HiddenText text={uri} />
          </code>
          <CopyButton text={uri} label="Copy address" />
        </span>
      </div>
      {following.error && <Callout error={following.error} />}
      {error && <Callout error={error} />}
      {!contents && !error && <p className={styles.note}>Reading…</p>}
      {contents?.length === 0 && <p className={styles.note}>There is nothing in it.</p>}
      {contents?.map((part, index) => (
        // A part is its place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Part key={index} part={part} uri={uri} />
      ))}
      {readAt !== undefined && (
        <p className={styles.note} role="status">
          Read at {new Date(readAt).toLocaleTimeString()}.
        </p>
      )}
    </section>
  );
}

function Part({ part, uri }: { part: ResourceContents; uri: string }) {
  const { text, blob, mimeType } = part;
  const size = text === undefined ? decodedSize(blob ?? '') : new TextEncoder().encode(text).length;
  const picture = blob === undefined ? undefined : dataUri(blob, mimeType ?? '', 'image');
  return (
    <div className={styles.part}>
      <div className={styles.bar}>
        <span className={styles.note}>
          {part.uri !== '' && part.uri !== uri && (
            <>
              <code>
                <HiddenText text={part.uri} />
              </code>{' '}
              ·{' '}
            </>
          )}
          <HiddenText text={mimeType ?? (text === undefined ? 'data' : 'text')} /> · {sizeInWords(size)}
        </span>
        {(text !== undefined || blob !== undefined) && (
          <SaveButton
            of={part.uri || uri}
            data={() => blob ?? toBase64(new TextEncoder().encode(text ?? ''))}
          />
        )}
      </div>
      {text !== undefined && <LongText text={text} />}
      {picture && <img className={styles.picture} src={picture} alt={`From ${uri}`} />}
      {text === undefined && blob === undefined && (
        <p className={styles.note}>The server sent something that is neither text nor data.</p>
      )}
    </div>
  );
}
