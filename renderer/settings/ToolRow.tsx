import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { claimsOf } from '../../shared/claims.ts';
import type { ToolInfo, ToolRule } from '../../shared/tools.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Select } from '../ui/Select.tsx';
import { ServerIcon } from '../ui/ServerIcon.tsx';
import { Switch } from '../ui/Switch.tsx';
import styles from './ToolRow.module.css';
import { useAction } from './useAction.ts';

/** Stands for: no rule of its own. */
const DEFAULT = 'default';

const rules: { value: ToolRule | typeof DEFAULT; label: string }[] = [
  { value: DEFAULT, label: 'Server default' },
  { value: 'ask', label: 'Ask' },
  { value: 'allow', label: 'Always allow' },
  { value: 'deny', label: 'Deny' },
];

/** One tool: whether the model may see it, whether it may call it, and what the server says about it. */
export function ToolRow({ tool }: { tool: ToolInfo }) {
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  const { run, busy, error } = useAction();
  const { server, name } = tool;
  const title = tool.title ?? name;
  return (
    <li className={styles.tool}>
      <div className={styles.head}>
        <div className={styles.what}>
          <Button
            variant="ghost"
            size="small"
            aria-expanded={open}
            aria-controls={detailsId}
            onClick={() => setOpen(!open)}
          >
            {open ? (
              <ChevronDown size={14} aria-hidden="true" />
            ) : (
              <ChevronRight size={14} aria-hidden="true" />
            )}
            <ServerIcon icons={tool.icons} />
            <HiddenText text={title} />
          </Button>
          {title !== name && (
            <code className={styles.name}>
              <HiddenText text={name} />
            </code>
          )}
        </div>
        <div className={styles.rule}>
          <Select
            label={`When the model calls ${name}`}
            hideLabel
            value={tool.ownRule ?? DEFAULT}
            options={rules}
            disabled={busy || tool.unusable !== undefined}
            onChange={rule =>
              void run(() =>
                request('tools.setRule', {
                  server,
                  tool: name,
                  rule: rule === DEFAULT ? null : (rule as ToolRule),
                }),
              )
            }
          />
        </div>
        <Switch
          label={`Offer ${name} to the model`}
          hideLabel
          checked={tool.enabled}
          disabled={busy || tool.unusable !== undefined}
          onChange={enabled => void run(() => request('tools.setEnabled', { server, tool: name, enabled }))}
        />
      </div>
      {tool.changed && (
        <p className={styles.changed}>It is not as you allowed it: the next call is asked about.</p>
      )}
      {tool.unusable && <p className={styles.unusable}>Cannot be used: {tool.unusable}</p>}
      {error && <Callout tone="danger" error={error} />}
      {open && <Details id={detailsId} tool={tool} />}
    </li>
  );
}

function Details({ id, tool }: { id: string; tool: ToolInfo }) {
  const claims = claimsOf(tool.annotations);
  return (
    <div id={id} className={styles.details}>
      <p className={styles.description}>
        {tool.description ? <HiddenText text={tool.description} /> : 'The server does not describe it.'}
      </p>
      {claims.length > 0 && <p>The server says: {claims.join(', ')}.</p>}
      <p>
        The model calls it <code>{tool.modelName}</code>.
      </p>
      {tool.notes.map(note => (
        <p key={note} className={styles.note}>
          <HiddenText text={note} />
        </p>
      ))}
      <details>
        <summary>Input schema, as the server sent it</summary>
        {/* A region that scrolls must be reachable by keyboard. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
        <pre className={styles.schema} tabIndex={0}>
          <HiddenText text={JSON.stringify(tool.inputSchema, null, 2)} />
        </pre>
      </details>
    </div>
  );
}
