import { ChevronRight } from 'lucide-react';
import type { ToolCallBlock } from '../../shared/chat.ts';
import { useKept } from '../stores/kept.ts';
import { groupWords, standsOut } from './callGroups.ts';
import { StatusIcon, statusOfGroup } from './StatusIcon.tsx';
import styles from './ToolCallGroup.module.css';
import { ToolCard } from './ToolCard.tsx';

interface Props {
  calls: readonly ToolCallBlock[];
  messageId: string;
  /** The place of the first one in the message. */
  first: number;
}

/** Calls that run beside each other: one line that opens to all of them. Closed, it shows those that need to be seen. */
export function ToolCallGroup({ calls, messageId, first }: Props) {
  const [open, setOpen] = useKept(`group ${messageId} ${first}`, false);
  return (
    <section className={styles.group} aria-label="Tool calls">
      <button type="button" className={styles.line} aria-expanded={open} onClick={() => setOpen(!open)}>
        <StatusIcon status={statusOfGroup(calls)} />
        <span className={styles.words}>{groupWords(calls)}</span>
        <ChevronRight size={15} aria-hidden="true" className={styles.chevron} />
      </button>
      {calls.map(
        (call, at) =>
          (open || standsOut(call)) && (
            // A block never moves within its message.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <ToolCard key={at} call={call} cardKey={`${messageId} ${first + at}`} />
          ),
      )}
    </section>
  );
}
