import { useId, useMemo } from 'react';
import type { ToolResult } from '../../shared/chat.ts';
import { JsonView } from '../asks/JsonView.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { ContentView } from './ContentView.tsx';
import { StructuredView } from './StructuredView.tsx';
import { withoutRepetition } from './structured.ts';
import styles from './ToolResultView.module.css';

interface Props {
  result: ToolResult;
  /** Where resources that it links to are read; absent where they are not. */
  server?: string | undefined;
  /** What is chosen in it is kept by this; absent where nothing is. */
  viewKey?: string;
}

/** A result as the server sent it: every part by its kind, nothing fetched, nothing run. */
export function ToolResultView(props: Props) {
  return (
    // Data nested without end cannot be compared; its parts are shown one by one then.
    <Boundary fallback={<Parts {...props} content={props.result.content} />}>
      <Whole {...props} />
    </Boundary>
  );
}

function Whole(props: Props) {
  const content = useMemo(() => withoutRepetition(props.result), [props.result]);
  return <Parts {...props} content={content} />;
}

function Parts({ result, content, server, viewKey }: Props & { content: ToolResult['content'] }) {
  const place = useId();
  const key = viewKey ?? place;
  const { structuredContent } = result;
  if (content.length === 0 && structuredContent === undefined) {
    return <p className={styles.note}>{result.isError ? 'Failed, no message.' : 'Finished, no output.'}</p>;
  }
  return (
    <div className={styles.result}>
      {content.map((item, index) => (
        // The list of a result never changes.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Boundary key={index} fallback={<p className={styles.note}>This part cannot be shown.</p>}>
          <ContentView item={item} server={server} viewKey={`${key} ${index}`} />
        </Boundary>
      ))}
      {structuredContent !== undefined && structuredContent !== null && (
        <section aria-label="Structured result" className={styles.structured}>
          <Boundary fallback={<p className={styles.note}>This part cannot be shown.</p>}>
            {typeof structuredContent === 'object' ? (
              <StructuredView value={structuredContent} viewKey={`view ${key}`} />
            ) : (
              <JsonView value={structuredContent} />
            )}
          </Boundary>
        </section>
      )}
    </div>
  );
}
