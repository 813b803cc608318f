import { useMemo, useState } from 'react';
import type { ToolResult } from '../../shared/chat.ts';
import { revealHiddenText } from '../../shared/hiddenCharacters.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { ResourceReader } from '../settings/server/ResourceReader.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { dataUri, decodedSize, sizeInWords, toBase64 } from '../ui/media.ts';
import { SaveButton } from '../ui/SaveButton.tsx';
import { Link } from './Link.tsx';
import { LongText } from './LongText.tsx';
import { openableAddress } from './links.ts';
import { StructuredView } from './StructuredView.tsx';
import { jsonIn } from './structured.ts';
import styles from './ToolResultView.module.css';

interface Props {
  item: ToolResult['content'][number];
  server: string | undefined;
  viewKey: string;
}

/** One part of a result by its kind: text, data, a picture, sound, a resource, or a link to one. */
export function ContentView({ item, server, viewKey }: Props) {
  switch (item.type) {
    case 'text':
      return <Text text={text(item.text)} viewKey={viewKey} />;
    case 'image':
      return <Picture data={text(item.data)} mimeType={text(item.mimeType)} name="picture" />;
    case 'audio':
      return <Sound data={text(item.data)} mimeType={text(item.mimeType)} name="sound" />;
    case 'resource':
      return <Resource resource={(item.resource ?? {}) as Record<string, unknown>} viewKey={viewKey} />;
    case 'resource_link':
      return <ResourceLink item={item} server={server} />;
    default:
      return <p className={styles.note}>Content of a kind that Parley does not know: {item.type}</p>;
  }
}

function Text({ text: words, viewKey }: { text: string; viewKey: string }) {
  const value = useMemo(() => jsonIn(words), [words]);
  if (words.trim() === '') return <p className={styles.note}>Empty text.</p>;
  return value ? (
    <StructuredView value={value} text={words} viewKey={`view ${viewKey}`} />
  ) : (
    <LongText text={words} />
  );
}

interface MediaProps {
  data: string;
  mimeType: string;
  /** Suggested when it is saved. */
  name: string;
}

function Picture({ data, mimeType, name }: MediaProps) {
  const uri = dataUri(data, mimeType, 'image');
  if (!uri) return <p className={styles.note}>A picture that cannot be shown ({mimeType || 'no type'}).</p>;
  return <img className={styles.image} src={uri} alt={`From the tool: ${name}`} />;
}

function Sound({ data, mimeType, name }: MediaProps) {
  const uri = dataUri(data, mimeType, 'audio');
  const extension = mimeType.split('/')[1]?.replace(/\W.*$/, '') ?? '';
  return (
    <div className={styles.bar}>
      {uri ? (
        // biome-ignore lint/a11y/useMediaCaption: a tool's sound comes without captions
        <audio className={styles.audio} src={uri} controls />
      ) : (
        <p className={styles.note}>Sound that cannot be played ({mimeType || 'no type'}).</p>
      )}
      <SaveButton of={extension && !name.includes('.') ? `${name}.${extension}` : name} data={() => data} />
    </div>
  );
}

function Resource({ resource, viewKey }: { resource: Record<string, unknown>; viewKey: string }) {
  const [uri, mimeType, blob] = [text(resource.uri), text(resource.mimeType), text(resource.blob)];
  const written = typeof resource.text === 'string' ? resource.text : undefined;
  const size = written === undefined ? decodedSize(blob) : new TextEncoder().encode(written).length;
  return (
    <section className={styles.resource} aria-label={`Resource ${revealHiddenText(uri)}`}>
      <div className={styles.bar}>
        <p className={styles.note}>
          <HiddenText text={uri} /> {mimeType && `(${mimeType}) `}· {sizeInWords(size)}
        </p>
        <SaveButton
          of={uri}
          data={() => (written === undefined ? blob : toBase64(new TextEncoder().encode(written)))}
        />
      </div>
      {written !== undefined && <Text text={written} viewKey={viewKey} />}
      {blob !== '' && mimeType.startsWith('image/') && <Picture data={blob} mimeType={mimeType} name={uri} />}
      {blob !== '' && mimeType.startsWith('audio/') && <Sound data={blob} mimeType={mimeType} name={uri} />}
    </section>
  );
}

/** Leads to a resource of the server, which is read only when the person wants it, or to a page. */
function ResourceLink({ item, server }: { item: Props['item']; server: string | undefined }) {
  const [open, setOpen] = useState(false);
  const uri = text(item.uri);
  const name = text(item.title) || text(item.name);
  return (
    <section className={styles.resource} aria-label={`Link to ${revealHiddenText(name || uri)}`}>
      <div className={styles.bar}>
        <p className={styles.note}>
          Link to <HiddenText text={name} />:{' '}
          <Link href={uri} text={uri}>
            <HiddenText text={uri} />
          </Link>
          {typeof item.size === 'number' && ` (${sizeInWords(item.size)})`}
        </p>
        {server !== undefined && uri !== '' && openableAddress(uri) === undefined && (
          <Button size="small" onClick={() => setOpen(true)}>
            Read
          </Button>
        )}
      </div>
      {text(item.description) !== '' && (
        <p className={styles.note}>
          <HiddenText text={text(item.description)} />
        </p>
      )}
      {open && server !== undefined && (
        <Dialog wide title={revealHiddenText(name || uri)} onClose={() => setOpen(false)}>
          <ResourceReader server={server} uri={uri} />
        </Dialog>
      )}
    </section>
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
