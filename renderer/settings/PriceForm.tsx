import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { LIST_PRICES, LIST_PRICES_DATE, type Price, priceOf } from '../../shared/prices.ts';
import { GUIDE } from '../../shared/settings.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import styles from './ModelForms.module.css';
import table from './PriceForm.module.css';
import { type PriceRow, priceRowsOf, pricesOf, problemOf } from './priceRows.ts';
import { useAction } from './useAction.ts';

const columns: { key: keyof Price; title: string }[] = [
  { key: 'input', title: 'Input' },
  { key: 'output', title: 'Output' },
  { key: 'cacheRead', title: 'Cache read' },
  { key: 'cacheWrite', title: 'Cache write' },
];

/** What models cost: the provider's list, and the prices that the person sets instead. */
export function PriceForm() {
  const settings = useSettings(state => state.settings);
  const model = useSettings(state => state.model.model);
  const [rows, setRows] = useState<PriceRow[]>(() => priceRowsOf(settings.prices));
  const [saved, setSaved] = useState(false);
  const { run, busy, error } = useAction();
  const problem = problemOf(rows);

  const change = (next: PriceRow[]) => {
    setSaved(false);
    setRows(next);
  };
  const add = () => {
    const id = 1 + Math.max(-1, ...rows.map(row => row.id));
    const named = model !== GUIDE && !rows.some(row => row.model === model) ? model : '';
    const known = priceOf(named, {});
    const texts = priceRowsOf(known ? { [named]: known } : {})[0];
    change([...rows, { ...EMPTY, ...texts, model: named, id }]);
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!problem) setSaved(await run(() => request('settings.update', { prices: pricesOf(rows) })));
  };
  return (
    <form className={styles.form} noValidate onSubmit={event => void save(event)}>
      <p className={styles.note}>
        In US dollars for a million tokens. A model without a price shows tokens and no cost.
      </p>
      {rows.length > 0 && (
        <div className={table.scroller}>
          <table className={table.prices} aria-label="Your prices">
            <Head />
            <tbody>
              {rows.map((row, index) => {
                const of = row.model || `model ${index + 1}`;
                const set = (part: Partial<PriceRow>) =>
                  change(rows.map(one => (one.id === row.id ? { ...one, ...part } : one)));
                return (
                  <tr key={row.id}>
                    <td>
                      <input
                        aria-label={`Id of model ${index + 1}`}
                        spellCheck={false}
                        value={row.model}
                        onChange={event => set({ model: event.target.value })}
                      />
                    </td>
                    {columns.map(({ key, title }) => (
                      <td key={key}>
                        <input
                          aria-label={`${title} of ${of}`}
                          inputMode="decimal"
                          value={row[key]}
                          onChange={event => set({ [key]: event.target.value })}
                        />
                      </td>
                    ))}
                    <td>
                      <Button
                        variant="ghost"
                        size="small"
                        aria-label={`Remove the price of ${of}`}
                        onClick={() => change(rows.filter(one => one.id !== row.id))}
                      >
                        <X size={16} aria-hidden="true" />
                      </Button>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {problem && (
        <p className={table.problem} role="alert">
          {problem}
        </p>
      )}
      {error && <Callout tone="danger" error={error} />}
      <div className={styles.test}>
        <Button size="small" onClick={add}>
          <Plus size={14} aria-hidden="true" /> Set a price
        </Button>
        <Button type="submit" size="small" disabled={busy || problem !== undefined}>
          Save prices
        </Button>
        <span role="status">{saved && 'Saved.'}</span>
      </div>
      <details>
        <summary>Anthropic’s list prices of {LIST_PRICES_DATE}, used where you set none</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key */}
        <section className={table.scroller} tabIndex={0} aria-label="List prices">
          <table className={table.prices}>
            <Head />
            <tbody>
              {Object.entries(LIST_PRICES).flatMap(([id, price]) => [
                <PriceLine key={id} title={id} price={price} />,
                ...(price.long
                  ? [
                      <PriceLine
                        key={`${id} long`}
                        title={`… prompts over ${price.long.over.toLocaleString('en')} tokens`}
                        price={price.long}
                      />,
                    ]
                  : []),
              ])}
            </tbody>
          </table>
        </section>
      </details>
    </form>
  );
}

const EMPTY: Omit<PriceRow, 'id'> = { model: '', input: '', output: '', cacheRead: '', cacheWrite: '' };

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">Model</th>
        {columns.map(({ key, title }) => (
          <th key={key} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function PriceLine({ title, price }: { title: string; price: Price }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {columns.map(({ key }) => (
        <td key={key}>{price[key]}</td>
      ))}
    </tr>
  );
}
