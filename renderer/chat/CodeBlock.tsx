import type { Element, ElementContent, Root } from 'hast';
import { toJsxRuntime } from 'hast-util-to-jsx-runtime';
import { useEffect, useMemo, useState } from 'react';
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import { CopyButton } from '../ui/CopyButton.tsx';
import styles from './CodeBlock.module.css';

/** Longer code is shown without colours: they would cost more than they help. */
const MAX_COLOURED = 50_000;

/** A block of code, coloured once the highlighter is there, with a button that copies exactly its text. */
export function CodeBlock({ node }: { node: Element | undefined }) {
  const { code, language } = useMemo(() => read(node), [node]);
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

function read(node: Element | undefined): { code: string; language: string | undefined } {
  const inner = node?.children.find((child): child is Element => child.type === 'element');
  const classes = inner?.properties.className;
  const name = Array.isArray(classes)
    ? classes.map(String).find(value => value.startsWith('language-'))
    : undefined;
  return {
    code: textOf(inner?.children ?? []).replace(/\n$/, ''),
    language: name?.slice('language-'.length),
  };
}

function textOf(nodes: ElementContent[]): string {
  return nodes
    .map(node => (node.type === 'text' ? node.value : node.type === 'element' ? textOf(node.children) : ''))
    .join('');
}

/** Undefined until the highlighter has been loaded and knows the language. */
function useHighlighted(code: string, language: string | undefined): Root | undefined {
  const [highlight, setHighlight] = useState<{ run: (code: string, language: string) => Root | undefined }>();
  const wanted = language !== undefined && code.length <= MAX_COLOURED;
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    void import('./highlight.ts').then(({ highlight: run }) => gone || setHighlight({ run }));
    return () => {
      gone = true;
    };
  }, [wanted]);
  return useMemo(
    () => (wanted && highlight ? highlight.run(code, language) : undefined),
    [wanted, highlight, code, language],
  );
}
