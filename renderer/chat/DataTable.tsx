import { useState } from 'react';
import { HiddenText } from '../asks/HiddenText.tsx';
import { JsonView } from '../asks/JsonView.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './DataTable.module.css';
import type { Table } from './structured.ts';

/** How many rows are shown at first, and how many each further step adds. */
const FIRST = 50;
const STEP = 500;
/** A longer cell folds; in characters. */
const MAX_CELL = 300;

/** Flat objects as rows; many of them in steps, always saying how many there are. */
export function DataTable({ table: { columns, rows, rest } }: { table: Table }) {
  const [shown, setShown] = useState(FIRST);
  const hidden = rows.length - shown;
  return (
    <div className={styles.frame}>
      {rest && <JsonView value={rest} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.scroller} aria-label="Table" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map(column => (
                <th key={column} scope="col">
                  <HiddenText text={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              // The rows of a result never change places.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <tr key={index}>
                {columns.map(column => (
                  <td key={column} data-number={typeof row[column] === 'number'}>
                    <Cell value={row[column]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hidden > 0 && (
        <Button size="small" onClick={() => setShown(shown + STEP)}>
          Show {hidden > STEP ? `${STEP} more` : 'all'} ({hidden.toLocaleString('en')} of{' '}
          {rows.length.toLocaleString('en')} rows are hidden)
        </Button>
      )}
    </div>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === undefined || value === null) return null;
  const text = String(value);
  return text.length > MAX_CELL ? <JsonView value={text} /> : <HiddenText text={text} />;
}
