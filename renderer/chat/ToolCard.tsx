import { ChevronRight, CircleAlert, CircleCheck, CircleSlash, LoaderCircle, Wrench } from 'lucide-react';
import { useState } from 'react';
import type { ToolCallBlock, ToolCallStatus } from '../../shared/chat.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { JsonView } from '../asks/JsonView.tsx';
import { go } from '../stores/app.ts';
import { useConversations } from '../stores/conversations.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { durationWords } from '../ui/duration.ts';
import { ModelSaw } from './ModelSaw.tsx';
import { RunningTask } from './RunningTask.tsx';
import styles from './ToolCard.module.css';
import { ToolResultView } from './ToolResultView.tsx';

const words: Record<ToolCallStatus, string> = {
  pending: 'being written',
  waiting: 'waits for you',
  running: 'running',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  cancelled: 'stopped',
  interrupted: 'interrupted',
};

/** One line of it is seen; in characters. */
const MAX_WHY = 300;

/** One call of a tool: a line that opens to its arguments and its result. */
export function ToolCard({ call, writingKey }: { call: ToolCallBlock; writingKey: string }) {
  const [open, setOpen] = useState(false);
  const name = call.title ?? call.tool ?? call.modelName;
  return (
    <div className={styles.card} data-status={call.status}>
      <button type="button" className={styles.line} aria-expanded={open} onClick={() => setOpen(!open)}>
        <StatusIcon status={call.status} />
        <span className={styles.name}>
          {call.server && (
            <span className={styles.server}>
              <HiddenText text={call.server} />{' '}
            </span>
          )}
          <HiddenText text={name} />
        </span>
        <span className={styles.status}>
          {words[call.status]}
          {call.edited && ', arguments changed by you'}
          {call.durationMs !== undefined && `, ${durationWords(call.durationMs)}`}
        </span>
        <ChevronRight size={15} aria-hidden="true" className={styles.chevron} />
      </button>
      {call.status === 'running' && call.task && <RunningTask call={call} task={call.task} />}
      {call.status === 'running' && !call.task && call.progress && <Progress progress={call.progress} />}
      {open && <Details call={call} writingKey={writingKey} />}
      {!open && <Preview call={call} />}
    </div>
  );
}

/** What one wants to see at once: pictures, and why it failed. */
function Preview({ call }: { call: ToolCallBlock }) {
  if (call.status === 'failed') {
    const said = call.error?.message ?? call.result?.content.find(({ type }) => type === 'text')?.text;
    return (
      typeof said === 'string' && (
        <p className={styles.why}>
          <HiddenText text={said.slice(0, MAX_WHY)} />
        </p>
      )
    );
  }
  const images = call.result?.content.filter(({ type }) => type === 'image') ?? [];
  if (images.length === 0) return null;
  return (
    <div className={styles.body}>
      <ToolResultView result={{ content: images }} />
    </div>
  );
}

function Details({ call, writingKey }: { call: ToolCallBlock; writingKey: string }) {
  const writing = useConversations(state => state.writing[writingKey]);
  return (
    <div className={styles.body}>
      <h3 className={styles.heading}>{call.edited ? 'Arguments, as you changed them' : 'Arguments'}</h3>
      {writing === undefined ? (
        <JsonView value={call.args ?? call.input} />
      ) : (
        <pre className={styles.writing}>{writing}</pre>
      )}
      {call.edited && (
        <>
          <h3 className={styles.heading}>What the model wanted</h3>
          <JsonView value={call.input} />
        </>
      )}
      {(call.result || call.error) && <h3 className={styles.heading}>Result</h3>}
      {call.error && (
        <Callout tone={call.status === 'failed' ? 'danger' : 'info'} error={call.error}>
          {call.error.code.startsWith('server.') && (
            <Button size="small" onClick={() => go('servers')}>
              Look at the server
            </Button>
          )}
        </Callout>
      )}
      {call.status === 'interrupted' && <p>Parley ended while this ran. What it did is not known.</p>}
      {call.cutForModel && <ModelSaw cut={call.cutForModel} place={writingKey} />}
      {call.result && <ToolResultView result={call.result} />}
    </div>
  );
}

function Progress({
  progress: { progress, total, message },
}: {
  progress: NonNullable<ToolCallBlock['progress']>;
}) {
  return (
    <div className={styles.progress}>
      {total ? (
        <progress value={progress} max={total} aria-label="Progress" />
      ) : (
        <progress aria-label="Progress" />
      )}
      <span>{message ?? (total ? `${progress} of ${total}` : String(progress))}</span>
    </div>
  );
}

function StatusIcon({ status }: { status: ToolCallStatus }) {
  if (status === 'running' || status === 'pending')
    return <LoaderCircle size={16} aria-hidden="true" className={styles.spinning} />;
  if (status === 'done') return <CircleCheck size={16} aria-hidden="true" className={styles.done} />;
  if (status === 'failed' || status === 'interrupted')
    return <CircleAlert size={16} aria-hidden="true" className={styles.failed} />;
  if (status === 'waiting') return <Wrench size={16} aria-hidden="true" className={styles.waiting} />;
  return <CircleSlash size={16} aria-hidden="true" />;
}
