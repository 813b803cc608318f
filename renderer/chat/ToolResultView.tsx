import type { ToolResult } from '../../shared/chat.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { JsonView } from '../asks/JsonView.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { dataUri, decodedSize, sizeInWords } from '../ui/media.ts';
import { Link } from './Link.tsx';
import { LongText } from './LongText.tsx';
import styles from './ToolResultView.module.css';

/** A result as the server sent it: every part by its kind, nothing fetched, nothing run. */
export function ToolResultView({ result }: { result: ToolResult }) {
  const { content, structuredContent } = result;
  if (content.length === 0 && structuredContent === undefined) {
    return <p className={styles.note}>{result.isError ? 'Failed, no message.' : 'Finished, no output.'}</p>;
  }
  return (
    <div className={styles.result}>
      {content.map((item, index) => (
        // The list of a result never changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Boundary key={index} fallback={<p className={styles.note}>This part cannot be shown.</p>}>
          <Item item={item} />
        </Boundary>
      ))}
      {structuredContent !== undefined && structuredContent !== null && (
        <section aria-label="Structured result">
          <JsonView value={structuredContent} />
        </section>
      )}
    </div>
  );
}

type Content = ToolResult['content'][number];

function Item({ item }: { item: Content }) {
  switch (item.type) {
    case 'text':
      return <Text text={text(item.text)} />;
    case 'image':
      return <Picture data={text(item.data)} mimeType={text(item.mimeType)} />;
    case 'audio':
      return <Audio data={text(item.data)} mimeType={text(item.mimeType)} />;
    case 'resource':
      return <Resource resource={(item.resource ?? {}) as Record<string, unknown>} />;
    case 'resource_link':
      return (
        <p className={styles.note}>
          Link to <HiddenText text={text(item.title) || text(item.name)} />:{' '}
          <Link href={text(item.uri)} text={text(item.uri)}>
            <HiddenText text={text(item.uri)} />
          </Link>
          {typeof item.size === 'number' && ` (${sizeInWords(item.size)})`}
        </p>
      );
    default:
      return <p className={styles.note}>Content of a kind that Parley does not know: {item.type}</p>;
  }
}

function Text({ text: words }: { text: string }) {
  return words.trim() === '' ? <p className={styles.note}>Empty text.</p> : <LongText text={words} />;
}

function Picture({ data, mimeType }: { data: string; mimeType: string }) {
  const uri = dataUri(data, mimeType, 'image');
  if (!uri) return <p className={styles.note}>A picture that cannot be shown ({mimeType || 'no type'}).</p>;
  return <img className={styles.image} src={uri} alt="From the tool" />;
}

function Audio({ data, mimeType }: { data: string; mimeType: string }) {
  const uri = dataUri(data, mimeType, 'audio');
  if (!uri) return <p className={styles.note}>Sound that cannot be played ({mimeType || 'no type'}).</p>;
  // biome-ignore lint/a11y/useMediaCaption: a tool's sound comes without captions
  return <audio className={styles.audio} src={uri} controls />;
}

function Resource({ resource }: { resource: Record<string, unknown> }) {
  const [uri, mimeType, blob] = [text(resource.uri), text(resource.mimeType), text(resource.blob)];
  return (
    <div>
      <p className={styles.note}>
        <HiddenText text={uri} /> {mimeType && `(${mimeType})`}
      </p>
      {typeof resource.text === 'string' && <LongText text={resource.text} />}
      {blob !== '' &&
        (mimeType.startsWith('image/') ? (
          <Picture data={blob} mimeType={mimeType} />
        ) : (
          <p className={styles.note}>{sizeInWords(decodedSize(blob))} of data</p>
        ))}
    </div>
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
