import type { Root } from 'hast';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { useEffect, useMemo, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { act } from '../stores/app.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import styles from './CodeBlock.module.css';

/** Longer code is shown without colours: they would cost more than they help. In characters. */
const MAX_COLOURED = 50_000;
/** Longer code gets its colours only when it has stopped growing for a moment. */
const MAX_COLOURED_AT_ONCE = 5_000;
const REST_MS = 300;

/** A block of code, coloured once the highlighter is there, with a button that copies exactly its text. */
export function CodeBlock({ code, language }: { code: string; language: string | undefined }) {
  const tree = useHighlighted(code, language);
  return (
    <div className={styles.block}>
      <div className={styles.bar}>
        <span>{language ?? 'text'}</span>
        <CopyButton text={code} label="Copy code" />
      </div>
      <pre className={styles.code}>
        <code>{tree ? toJsxRuntime(tree, { Fragment, jsx, jsxs }) : code}</code>
      </pre>
    </div>
  );
}

/** Undefined until the highlighter has been loaded and knows the language. */
function useHighlighted(code: string, language: string | undefined): Root | undefined {
  const [highlight, setHighlight] = useState<{ run: (code: string, language: string) => Root | undefined }>();
  const wanted = language !== undefined && code.length <= MAX_COLOURED;
  const still = useStill(code);
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    act(import('./highlight.ts').then(({ highlight: run }) => gone || setHighlight({ run })));
    return () => {
      gone = true;
    };
  }, [wanted]);
  return useMemo(
    () => (wanted && still && highlight ? highlight.run(code, language) : undefined),
    [wanted, still, highlight, code, language],
  );
}

/** Whether code is short, or has stopped growing. */
function useStill(code: string): boolean {
  const [rested, setRested] = useState(code);
  const long = code.length > MAX_COLOURED_AT_ONCE;
  useEffect(() => {
    if (!long) return;
    const timer = setTimeout(() => setRested(code), REST_MS);
    return () => clearTimeout(timer);
  }, [code, long]);
  return !long || rested === code;
}
