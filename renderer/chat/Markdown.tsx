import type { Element } from 'hast';
import { type ComponentProps, memo, type ReactNode, useMemo, useState } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Boundary } from '../ui/Boundary.tsx';
import { useScrolls } from '../ui/useScrolls.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { Diagram } from './Diagram.tsx';
import { Formula } from './Formula.tsx';
import { isBlockOfNotes } from './footnotes.ts';
import { textOf } from './hast.ts';
import { Link } from './Link.tsx';
import styles from './Markdown.module.css';
import { BlockSplitter, fencedCode, splitTable } from './markdownBlocks.ts';
import { mathIn } from './mathBlocks.ts';
import { remarkMath } from './mathSyntax.ts';
import { Picture } from './Picture.tsx';
import { remarkLineBreaks } from './remarkLineBreaks.ts';
import { usePaced } from './usePaced.ts';

/** Markdown of a model: HTML is text, nothing is loaded from outside; finished blocks are parsed once. */
export function Markdown({ text }: { text: string }) {
  const shown = usePaced(text);
  const [splitter] = useState(() => new BlockSplitter());
  const blocks = useMemo(() => splitter.split(shown), [splitter, shown]);
  return (
    <div className={styles.markdown} data-grows>
      {blocks.map((block, index) => (
        // Blocks only ever grow at the end, so their place is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <Boundary fallback={<p className={styles.plain}>{text}</p>}>
      <Content text={text} />
    </Boundary>
  );
});

function Content({ text }: { text: string }) {
  const fence = fencedCode(text);
  if (fence?.language === 'mermaid' && fence.complete) return <Diagram source={fence.code} />;
  if (fence) return <CodeBlock {...fence} />;
  const math = mathIn(text);
  if (math) return <Formula {...math} />;
  if (isBlockOfNotes(text))
    return (
      <div className={styles.notes}>
        <Parsed text={text} components={notes} />
      </div>
    );
  const table = splitTable(text);
  return table ? <LongTable parts={table} /> : <Parsed text={text} components={components} />;
}

type Components = NonNullable<ComponentProps<typeof ReactMarkdown>['components']>;

const plugins = [remarkGfm, remarkMath, remarkLineBreaks];

const Parsed = memo(function Parsed({ text, components }: { text: string; components: Components }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={url => url}>
      {text}
    </ReactMarkdown>
  );
});

const components: Components = {
  a: ({ href, node, children }) => {
    const { dataFootnoteRef, dataFootnoteBackref } = node?.properties ?? {};
    // Its own number is that in its block.
    if (dataFootnoteRef) return <>{href?.split('-').at(-1)}</>;
    // An address within the page: that of the window, in which each answer has a first footnote.
    if (dataFootnoteBackref !== undefined) return null;
    return (
      <Link href={href} text={textOf(node?.children ?? [])}>
        {children}
      </Link>
    );
  },
  // The footnotes of a block. They stand at the end.
  section: () => null,
  img: ({ src, alt }) => <Picture src={typeof src === 'string' ? src : undefined} alt={alt} />,
  table: ({ children }) => <TableBox>{children}</TableBox>,
  // Of a task list. It is no switch of ours, so it says what it shows.
  input: ({ checked }) => (
    <input type="checkbox" checked={checked} disabled aria-label={checked ? 'Done' : 'To do'} />
  ),
  // No other Markdown makes one.
  span: ({ node }) => <Formula source={textOf(node?.children ?? [])} complete />,
  pre: ({ node }) => <CodeBlock {...codeIn(node)} />,
};

const notes: Components = { ...components, section: ({ children }) => children, h2: () => null };

/** Parsed in parts, shown as one. */
function LongTable({ parts }: { parts: string[] }) {
  return (
    <TableBox>
      {parts.map((part, index) => (
        // Rows only ever come at the end.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Parsed key={index} text={part} components={index === 0 ? firstPart : laterPart} />
      ))}
    </TableBox>
  );
}

function TableBox({ children }: { children: ReactNode }) {
  const { ref, scrolls } = useScrolls<HTMLDivElement>();
  return (
    <div ref={ref} className={styles.table} {...(scrolls ? { tabIndex: 0 } : {})}>
      <table>{children}</table>
    </div>
  );
}

const firstPart: Components = { ...components, table: ({ children }) => children };
const laterPart: Components = { ...firstPart, thead: () => null };

/** A block of code inside something else, such as a list item. */
function codeIn(pre: Element | undefined): ComponentProps<typeof CodeBlock> {
  const [inner] = pre?.children ?? [];
  const classes = inner?.type === 'element' ? inner.properties.className : undefined;
  const name = Array.isArray(classes)
    ? classes.map(String).find(one => one.startsWith('language-'))
    : undefined;
  return {
    code: textOf(pre?.children ?? []).replace(/\n$/, ''),
    language: name?.slice('language-'.length),
    // What is within something else does not tell.
    complete: false,
  };
}
