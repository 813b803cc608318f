import { useState } from 'react';
import { HiddenText } from './HiddenText.tsx';
import styles from './JsonView.module.css';

/**
 * A JSON value to decide by: complete, and readable at every depth. Long text and long lists fold, but say how much
 * they hold; nothing is cut for good.
 */
export function JsonView({ value }: { value: unknown }) {
  return (
    <div className={styles.json}>
      <JsonValue value={value} />
    </div>
  );
}

/** How much is shown of what folds. */
const limits = { characters: 400, lines: 8, entries: 50, depth: 12 };

function JsonValue({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value === 'string') return <JsonText text={value} />;
  if (typeof value !== 'object' || value === null)
    return <span className={styles.atom}>{String(value)}</span>;
  if (depth >= limits.depth) return <JsonText text={JSON.stringify(value, null, 2)} />;
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className={styles.atom}>{list ? '[]' : '{}'}</span>;
  return <Entries entries={entries} list={list} depth={depth} />;
}

function Entries({ entries, list, depth }: { entries: [string, unknown][]; list: boolean; depth: number }) {
  const [open, setOpen] = useState(false);
  const folded = entries.length > limits.entries && !open;
  return (
    <dl className={depth === 0 ? styles.entries : styles.nested}>
      {(folded ? entries.slice(0, limits.entries) : entries).map(([key, value]) => (
        <div key={key} className={styles.entry}>
          <dt className={list ? styles.index : styles.key}>
            {list ? `${Number(key) + 1}.` : <HiddenText text={key} />}
          </dt>
          <dd>
            <JsonValue value={value} depth={depth + 1} />
          </dd>
        </div>
      ))}
      {entries.length > limits.entries && (
        <Fold open={open} onToggle={() => setOpen(!open)}>
          {`Show all ${entries.length.toLocaleString('en')} entries`}
        </Fold>
      )}
    </dl>
  );
}

function JsonText({ text }: { text: string }) {
  const [open, setOpen] = useState(false);
  const lines = text.split('\n');
  const folds = text.length > limits.characters || lines.length > limits.lines;
  const shown =
    folds && !open ? `${lines.slice(0, limits.lines).join('\n').slice(0, limits.characters)}…` : text;
  return (
    <>
      <span className={lines.length > 1 ? styles.block : styles.text}>
        {text === '' ? <span className={styles.atom}>"" (empty)</span> : <HiddenText text={shown} />}
      </span>
      {folds && (
        <Fold open={open} onToggle={() => setOpen(!open)}>
          {`Show all ${text.length.toLocaleString('en')} characters`}
        </Fold>
      )}
    </>
  );
}

function Fold(props: { open: boolean; onToggle: () => void; children: string }) {
  return (
    <button type="button" className={styles.fold} aria-expanded={props.open} onClick={props.onToggle}>
      {props.open ? 'Show less' : props.children}
    </button>
  );
}
