import { Popover } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { ContextPart, ContextReport } from '../../shared/context.ts';
import { GUIDE } from '../../shared/settings.ts';
import { cacheHitRate } from '../../shared/usage.ts';
import { count, dollars, percent, type UsageSum } from '../../shared/usageSum.ts';
import { act } from '../stores/app.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ContextMeter.module.css';

/** How full the model's window is in the open conversation; opens to the parts and to what it has cost. */
export function ContextMeter() {
  const [open, setOpen] = useState(false);
  const conversationId = useConversations(state => state.openId);
  const running = useConversations(state => conversationId !== undefined && conversationId in state.turns);
  const report = useReport(conversationId, open);
  if (!report || report.model === GUIDE || conversationId === undefined) return null;
  const share = report.window ? report.used / report.window : undefined;
  const summarise = () => {
    setOpen(false);
    act(request('chat.summarise', { conversationId, goOn: false }));
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        className={styles.meter}
        aria-label={`Context: ${share === undefined ? `${count(report.used)} tokens` : `${percent(share)} of the window`}`}
        title="What the model reads, and what it costs"
      >
        <span className={styles.gauge} data-full={share !== undefined && share > 0.8} aria-hidden="true">
          <span style={{ inlineSize: `${Math.min(100, (share ?? 0) * 100)}%` }} />
        </span>
        {share === undefined ? short(report.used) : percent(share)}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.panel}
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Context"
        >
          <Details report={report} share={share} />
          <Button size="small" disabled={running} onClick={summarise}>
            Summarise earlier messages
          </Button>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Details({ report, share }: { report: ContextReport; share: number | undefined }) {
  const { used, window, parts, partsFrom, isEstimate, toolSearch, lastTurn, conversation } = report;
  return (
    <>
      <h2 className={styles.heading}>
        {isEstimate && 'About '}
        {count(used)}
        {window !== undefined && share !== undefined && ` of ${count(window)}`} tokens
        {share !== undefined && ` (${percent(share)})`}
      </h2>
      <table className={styles.table} aria-label="Parts">
        <tbody>
          {parts.map(part => (
            <tr key={`${part.kind} ${part.server}`}>
              <th scope="row">{nameOf(part)}</th>
              <td>{count(part.tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>
        {partsFrom === 'endpoint'
          ? 'System prompt and tools as the endpoint counts them; the rest is shared out by length.'
          : 'The parts are shared out by their length: the endpoint has not counted them one by one.'}
      </p>
      {toolSearch && (
        <p className={styles.note}>
          {count(toolSearch.loaded)} of {count(toolSearch.all)} tools loaded; the model searches the others.
        </p>
      )}
      <table className={styles.table} aria-label="Usage">
        <thead>
          <tr>
            <td />
            <th scope="col">Last turn</th>
            <th scope="col">Conversation</th>
          </tr>
        </thead>
        <tbody>
          {usageRows.map(({ title, value }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td>{value(lastTurn)}</td>
              <td>{value(conversation)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const usageRows: { title: string; value(sum: UsageSum): string }[] = [
  { title: 'Read at full price', value: ({ usage }) => count(usage.input) },
  { title: 'Written to the cache', value: ({ usage }) => count(usage.cacheWrite) },
  { title: 'Read from the cache', value: ({ usage }) => count(usage.cacheRead) },
  {
    title: 'Cache hit rate',
    value: ({ usage }) => {
      const rate = cacheHitRate(usage);
      return rate === undefined ? '–' : percent(rate);
    },
  },
  { title: 'Written by the model', value: ({ usage }) => count(usage.output) },
  {
    title: 'Cost',
    value: ({ cost, unpriced, answers }) =>
      answers === unpriced
        ? answers === 0
          ? '–'
          : 'no price known'
        : `${unpriced > 0 ? 'at least ' : ''}${dollars(cost)}`,
  },
];

const names = {
  system: 'System prompt',
  summary: 'Summary',
  messages: 'Messages',
  attachments: 'Attachments',
  results: 'Tool calls and results',
} as const;

function nameOf(part: ContextPart): string {
  if (part.kind !== 'tools') return names[part.kind];
  return part.server === undefined ? 'Tools of Parley' : `Tools of ${part.server}`;
}

function short(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(1)}k`;
}

/** Asked anew when something of it may have changed; counted part by part only while it is looked at. */
function useReport(conversationId: string | undefined, exact: boolean): ContextReport | undefined {
  const [report, setReport] = useState<{ of: string; report: ContextReport }>();
  const isThere = useConversations(({ messages }) => messages !== undefined);
  const changed = useConversations(({ openId, revision, turns, conversations }) => {
    // Its title came from the model, perhaps.
    const { title, settings } = conversations.find(({ id }) => id === openId) ?? {};
    const isRunning = openId !== undefined && openId in turns;
    return JSON.stringify([revision, title, settings, isRunning]);
  });
  const model = useSettings(state => state.model.model);
  const prices = useSettings(state => state.settings.prices);
  const toolSearch = useSettings(state => state.settings.toolSearch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the others decide what the answer is
  useEffect(() => {
    // What is asked of the host first is what one wants to read.
    if (conversationId === undefined || !isThere) return;
    let gone = false;
    request('chat.context', { conversationId, exact }).then(
      report => gone || setReport({ of: conversationId, report }),
      // Why no model can be reached is said where one is asked.
      () => gone || setReport(undefined),
    );
    return () => {
      gone = true;
    };
  }, [conversationId, isThere, exact, changed, model, prices, toolSearch]);
  return report?.of === conversationId ? report?.report : undefined;
}
