import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../ui/Button.tsx';
import { CodeBlock } from './CodeBlock.tsx';
import styles from './Diagram.module.css';
import type { Drawing } from './drawDiagram.ts';
import { keepNewest } from './keepNewest.ts';
import { useModule } from './useModule.ts';

/**
 * A Mermaid diagram and, at the press of a button, its source, which also stands there until the diagram is drawn. It
 * is shown as an image: nothing in it can act, load something or reach the page.
 */
export function Diagram({ source }: { source: string }) {
  const drawn = useDrawing(source);
  const [showsSource, setShowsSource] = useState(false);
  const toggle = (
    <Button size="small" aria-pressed={showsSource} onClick={() => setShowsSource(!showsSource)}>
      Source
    </Button>
  );
  if (!drawn || drawn === 'failed' || showsSource)
    return (
      <>
        <CodeBlock
          code={source}
          language="mermaid"
          complete
          action={drawn && drawn !== 'failed' ? toggle : undefined}
        />
        {drawn === 'failed' && (
          <p className={styles.failed}>This diagram cannot be drawn: its source is not valid, or too long.</p>
        )}
      </>
    );
  return (
    <figure className={styles.figure}>
      <div className={styles.bar}>
        <span>diagram</span>
        {toggle}
      </div>
      <img
        className={styles.image}
        src={drawn.url}
        alt={drawn.title ? `Diagram: ${drawn.title}` : 'Diagram. “Source” shows what it is drawn from.'}
      />
    </figure>
  );
}

type Drawn = (Drawing & { url: string }) | 'failed';

/** The newest, by theme and source: a list that scrolls takes its messages away and puts them back as they were. */
const kept = new Map<string, Drawn>();

/** In the theme of the page; undefined until it is there. */
function useDrawing(source: string): Drawn | undefined {
  const drawer = useModule(loadDrawer);
  const isDark = useSyncExternalStore(onTheme, () => document.documentElement.dataset.theme === 'dark');
  const key = `${isDark ? 'dark' : 'light'} ${source}`;
  const [drawn, setDrawn] = useState(() => kept.get(key));
  useEffect(() => {
    if (!drawer) return;
    let gone = false;
    const arrive = (drawing: Drawn) => {
      keepNewest(kept, key, drawing);
      if (!gone) setDrawn(drawing);
    };
    const before = kept.get(key);
    if (before) arrive(before);
    else
      drawer.drawDiagram(source, isDark).then(
        drawing => arrive({ ...drawing, url: `data:image/svg+xml,${encodeURIComponent(drawing.svg)}` }),
        // Whatever it does not understand.
        () => arrive('failed'),
      );
    return () => {
      gone = true;
    };
  }, [drawer, source, isDark, key]);
  return drawn;
}

const loadDrawer = () => import('./drawDiagram.ts');

function onTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
