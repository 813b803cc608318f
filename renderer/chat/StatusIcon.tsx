import { CircleAlert, CircleCheck, CircleSlash, Wrench } from 'lucide-react';
import type { ToolCallBlock, ToolCallStatus } from '../../shared/chat.ts';
import { Spinner } from '../ui/Spinner.tsx';
import styles from './StatusIcon.module.css';

/** How a call is, as a picture; the words stand beside it. */
export function StatusIcon({ status }: { status: ToolCallStatus }) {
  if (status === 'running' || status === 'pending') return <Spinner size={16} className={styles.spinning} />;
  if (status === 'done') return <CircleCheck size={16} aria-hidden="true" className={styles.done} />;
  if (status === 'failed' || status === 'interrupted')
    return <CircleAlert size={16} aria-hidden="true" className={styles.failed} />;
  if (status === 'waiting') return <Wrench size={16} aria-hidden="true" className={styles.waiting} />;
  return <CircleSlash size={16} aria-hidden="true" className={styles.ended} />;
}

const byWeight: readonly ToolCallStatus[] = ['waiting', 'running', 'pending', 'failed', 'interrupted'];

/** What matters most of several calls. */
export function statusOfGroup(calls: readonly ToolCallBlock[]): ToolCallStatus {
  return byWeight.find(status => calls.some(call => call.status === status)) ?? 'done';
}
