import { useMemo } from 'react';
import { JsonView } from '../asks/JsonView.tsx';
import { useKept } from '../stores/kept.ts';
import { Tabs } from '../ui/Tabs.tsx';
import { DataTable } from './DataTable.tsx';
import { LongText } from './LongText.tsx';
import { tableOf } from './structured.ts';

interface Props {
  value: object;
  /** As the server wrote it, when it came as text. */
  text?: string;
  /** What was chosen is kept by this. */
  viewKey: string;
}

/** Structured data as a table where it is one, as a tree, or as text; the choice is kept. */
export function StructuredView({ value, text, viewKey }: Props) {
  const table = useMemo(() => tableOf(value), [value]);
  const [chosen, choose] = useKept<string>(viewKey, table ? 'table' : 'tree');
  const written = () => text ?? JSON.stringify(value, null, 2);
  const tabs = [
    ...(table ? [{ value: 'table', label: 'Table', content: <DataTable table={table} /> }] : []),
    { value: 'tree', label: 'Tree', content: <JsonView value={value} /> },
    { value: 'text', label: 'Text', content: chosen === 'text' && <LongText text={written()} /> },
  ];
  return <Tabs small label="Show the result as" value={chosen} onChange={choose} tabs={tabs} />;
}
