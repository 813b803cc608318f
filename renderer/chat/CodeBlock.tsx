import type { ElementContent } from 'hast';
import { Fragment, memo, type ReactNode, startTransition, useEffect, useState } from 'react';
import { CopyButton } from '../ui/CopyButton.tsx';
import styles from './CodeBlock.module.css';
import { highlight } from './highlight/highlight.ts';

/** Longer code is shown without colours: they would cost more than they help. In characters. */
const MAX_COLOURED = 50_000;
/** Code that may still grow gets its colours when it has not done so for this long. */
const REST_MS = 300;

interface Props {
  code: string;
  language: string | undefined;
  /** Its end has been written. */
  complete: boolean;
  /** A button beside the one that copies. */
  action?: ReactNode;
}

/** A block of code, coloured once it is there, with a button that copies exactly its text. */
export function CodeBlock({ code, language, complete, action }: Props) {
  const coloured = useColours(code, language, complete);
  return (
    <div className={styles.block}>
      <div className={styles.bar}>
        <span>{language ?? 'text'}</span>
        <div className={styles.actions}>
          {action}
          <CopyButton text={code} label="Copy code" />
        </div>
      </div>
      <pre className={styles.code}>
        <code>
          {coloured && <Spans nodes={coloured.nodes} />}
          {code.slice(coloured?.code.length ?? 0)}
        </code>
      </pre>
    </div>
  );
}

interface Coloured {
  code: string;
  language: string;
  nodes: ElementContent[];
}

/** The beginning of the code that has its colours: all of it when it is complete or rests, none while it grows. */
function useColours(code: string, language: string | undefined, complete: boolean): Coloured | undefined {
  const [coloured, setColoured] = useState<Coloured>();
  useEffect(() => {
    if (language === undefined || code === '' || code.length > MAX_COLOURED) return;
    let gone = false;
    const colour = async () => {
      const tree = await highlight(code, language);
      if (tree && !gone)
        startTransition(() => setColoured({ code, language, nodes: tree.children as ElementContent[] }));
    };
    const timer = setTimeout(() => void colour(), complete ? 0 : REST_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [code, language, complete]);
  return coloured && coloured.language === language && code.startsWith(coloured.code) ? coloured : undefined;
}

/** What the highlighter made: text, and spans with classes. */
const Spans = memo(function Spans({ nodes }: { nodes: ElementContent[] }): ReactNode {
  return nodes.map((node, index) =>
    node.type === 'element' ? (
      // They never change.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <span key={index} className={[node.properties.className].flat().join(' ')}>
        <Spans nodes={node.children} />
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Fragment key={index}>{node.type === 'text' && node.value}</Fragment>
    ),
  );
});
