import { useMemo, useState } from 'react';
import type { ToolInfo } from '../../shared/tools.ts';
import { useTools } from '../stores/tools.ts';
import { TextField } from '../ui/TextField.tsx';
import { ServerDefaults } from './ServerDefaults.tsx';
import styles from './ServerTools.module.css';
import { ToolRow } from './ToolRow.tsx';

/** From how many tools on a search is worth its place. */
const MANY = 8;

/** The tools of one server, each with its switch and its rule. */
export function ServerTools({ server }: { server: string }) {
  const all = useTools(state => state.tools);
  const [sought, setSought] = useState('');
  const tools = useMemo(() => all.filter(tool => tool.server === server), [all, server]);
  const found = useMemo(() => tools.filter(tool => matches(tool, sought)), [tools, sought]);
  if (tools.length === 0) return <p className={styles.empty}>No tools are known of this server.</p>;
  return (
    <div className={styles.tools}>
      <ServerDefaults server={server} />
      {tools.length >= MANY && (
        <TextField label={`Search ${tools.length} tools`} type="search" value={sought} onChange={setSought} />
      )}
      <ul className={styles.list}>
        {found.map(tool => (
          <ToolRow key={tool.name} tool={tool} />
        ))}
      </ul>
      {found.length === 0 && (
        <p className={styles.empty}>No tool has “{sought}” in its name or description.</p>
      )}
    </div>
  );
}

function matches({ name, title = '', description = '' }: ToolInfo, sought: string): boolean {
  const text = `${name} ${title} ${description}`.toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}
