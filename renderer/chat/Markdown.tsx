import { type ComponentProps, memo, type ReactNode, useMemo } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { request } from '../stores/host.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { disguisedHost, openableAddress } from './links.ts';
import styles from './Markdown.module.css';
import { splitBlocks } from './markdownBlocks.ts';

/** Markdown of a model: no raw HTML, nothing loaded from outside; finished blocks are parsed once. */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => splitBlocks(text), [text]);
  return (
    <div className={styles.markdown}>
      {blocks.map((block, index) => (
        // Blocks only ever grow at the end, so their place is their identity.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Block key={index} text={block} />
      ))}
    </div>
  );
}

const plugins = [remarkGfm];

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={url => url} skipHtml>
      {text}
    </ReactMarkdown>
  );
});

const components: ComponentProps<typeof ReactMarkdown>['components'] = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ src, alt }) => <Picture src={typeof src === 'string' ? src : undefined} alt={alt} />,
  table: ({ children }) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ node }) => <CodeBlock node={node} />,
};

function Link({ href, children }: { href: string | undefined; children?: ReactNode }) {
  const address = openableAddress(href);
  if (address === undefined) return <span>{children}</span>;
  const hidden = disguisedHost(textOf(children), address);
  return (
    <>
      <a
        href={address}
        title={address}
        draggable={false}
        onClick={event => {
          event.preventDefault();
          void request('app.openLink', { url: address });
        }}
        onAuxClick={event => event.preventDefault()}
      >
        {children}
      </a>
      {hidden && <span className={styles.disguised}> (leads to {hidden})</span>}
    </>
  );
}

/** Pictures from the network would tell their server who reads: only those that are part of the text are shown. */
function Picture({ src, alt }: { src: string | undefined; alt: string | undefined }) {
  if (src && /^data:image\/(png|jpeg|gif|webp);base64,/i.test(src)) return <img src={src} alt={alt ?? ''} />;
  return <Link href={src}>{alt || src || 'picture'}</Link>;
}

function textOf(children: ReactNode): string {
  if (typeof children === 'string') return children;
  return Array.isArray(children) ? children.map(textOf).join('') : '';
}
