import { useState } from 'react';
import { HiddenText } from './HiddenText.tsx';
import styles from './JsonView.module.css';

/**
 * A JSON value to decide by: complete, and readable at every depth. Long text, long lists and what is nested in many of
 * them fold, but say how much they hold; nothing is cut for good.
 */
export function JsonView({ value }: { value: unknown }) {
  return (
    <div className={styles.json}>
      <JsonValue value={value} room={limits.room} />
    </div>
  );
}

/** How much is shown of what folds. `room`: so many entries at all depths together. */
const limits = { characters: 400, lines: 8, entries: 50, depth: 12, room: 400 };

interface ValueProps {
  value: unknown;
  depth?: number;
  /** So many entries may be shown in it, at all depths together, before the person wants more. */
  room: number;
}

function JsonValue({ value, depth = 0, room }: ValueProps) {
  if (typeof value === 'string') return <JsonText text={value} />;
  if (!isNested(value)) return <span className={styles.atom}>{String(value)}</span>;
  if (depth >= limits.depth) return <JsonText text={JSON.stringify(value, null, 2)} />;
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className={styles.atom}>{list ? '[]' : '{}'}</span>;
  return <Entries entries={entries} list={list} depth={depth} room={room} />;
}

function Entries(props: { entries: [string, unknown][]; list: boolean; depth: number; room: number }) {
  const { entries, list, depth, room } = props;
  const [steps, setSteps] = useState(0);
  const first = Math.min(limits.entries, room);
  const shown = entries.slice(0, first + steps * limits.entries);
  // What the person has opened has room of its own.
  const inner = steps > 0 ? limits.room : room - shown.length;
  const roomOfEach = Math.floor(inner / Math.max(1, shown.filter(([, value]) => isNested(value)).length));
  const hidden = entries.length - shown.length;
  return (
    <>
      {shown.length > 0 && (
        <dl className={depth === 0 ? styles.entries : styles.nested}>
          {shown.map(([key, value]) => (
            <div key={key} className={styles.entry}>
              <dt className={list ? styles.index : styles.key}>
                {list ? `${Number(key) + 1}.` : <HiddenText text={key} />}
              </dt>
              <dd>
                <JsonValue value={value} depth={depth + 1} room={roomOfEach} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {hidden > 0 && (
        <Fold open={false} onToggle={() => setSteps(steps + 1)}>
          {moreWords(hidden, entries.length)}
        </Fold>
      )}
      {steps > 0 && (
        <Fold open onToggle={() => setSteps(0)}>
          Show less
        </Fold>
      )}
    </>
  );
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** “Show 3 entries”, “Show 50 more of 1,200 entries”. */
function moreWords(hidden: number, all: number): string {
  const entries = `${all.toLocaleString('en')} ${all === 1 ? 'entry' : 'entries'}`;
  if (hidden === all && all <= limits.entries) return `Show ${entries}`;
  return `Show ${Math.min(hidden, limits.entries)} more of ${entries}`;
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
