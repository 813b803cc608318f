import { ChevronRight } from 'lucide-react';
import { useMemo } from 'react';
import type { ToolCallBlock, ToolCallStatus, ToolResult } from '../../shared/chat.ts';
import { HiddenText } from '../asks/HiddenText.tsx';
import { JsonView } from '../asks/JsonView.tsx';
import { go } from '../stores/app.ts';
import { useConversations } from '../stores/conversations.ts';
import { useKept } from '../stores/kept.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { durationWords } from '../ui/duration.ts';
import { sizeInWords } from '../ui/media.ts';
import { CallLog } from './CallLog.tsx';
import { LargeResult } from './LargeResult.tsx';
import { ModelSaw } from './ModelSaw.tsx';
import { RunningCall } from './RunningCall.tsx';
import { RunningTask } from './RunningTask.tsx';
import { StatusIcon } from './StatusIcon.tsx';
import { resultSize } from './structured.ts';
import styles from './ToolCard.module.css';
import { ToolResultView } from './ToolResultView.tsx';
import { useWholeResult } from './useWholeResult.ts';

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

interface Props {
  call: ToolCallBlock;
  /** The message and the place in it: what is open, and what is being written, is known by this. */
  cardKey: string;
}

/** One call of a tool: a line that opens to its arguments and its result. */
export function ToolCard({ call, cardKey }: Props) {
  const [open, setOpen] = useKept(`card ${cardKey}`, false);
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
      {call.status === 'running' && !call.task && call.startedAt !== undefined && (
        <RunningCall call={call} startedAt={call.startedAt} />
      )}
      {open ? <Details call={call} cardKey={cardKey} /> : <Preview call={call} cardKey={cardKey} />}
    </div>
  );
}

/** What one wants to see at once: pictures, and why it failed. */
function Preview({ call, cardKey }: Props) {
  const hasImages = call.result?.content.some(isImage) ?? false;
  const { result } = useWholeResult(call, cardKey, hasImages);
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
  const images = result?.content.filter(isImage) ?? [];
  if (images.length === 0) return null;
  return (
    <div className={styles.body}>
      <ToolResultView result={{ content: images }} server={call.server} viewKey={cardKey} />
    </div>
  );
}

function isImage({ type }: ToolResult['content'][number]): boolean {
  return type === 'image';
}

function Details({ call, cardKey }: Props) {
  const writing = useConversations(state => state.writing[cardKey]);
  const { result, server, startedAt, durationMs } = call;
  const size = useMemo(
    () => call.abridged?.length ?? (result ? resultSize(result) : 0),
    [result, call.abridged],
  );
  return (
    <div className={styles.body}>
      <h2 className={styles.heading}>{call.edited ? 'Arguments, as you changed them' : 'Arguments'}</h2>
      {writing === undefined ? (
        <JsonView value={call.args ?? call.input} />
      ) : (
        <pre className={styles.writing}>{writing}</pre>
      )}
      {call.edited && (
        <>
          <h2 className={styles.heading}>What the model wanted</h2>
          <JsonView value={call.input} />
        </>
      )}
      {(result || call.error) && (
        <h2 className={styles.heading}>
          Result{result && <span className={styles.size}> · {sizeInWords(size)}</span>}
        </h2>
      )}
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
      {call.cutForModel && <ModelSaw cut={call.cutForModel} place={cardKey} />}
      {result &&
        (call.abridged ? (
          <LargeResult call={call} abridged={call.abridged} cardKey={cardKey} />
        ) : (
          <ToolResultView result={result} server={server} viewKey={cardKey} />
        ))}
      {server !== undefined &&
        startedAt !== undefined &&
        (call.status === 'running' || durationMs !== undefined) && (
          <CallLog server={server} startedAt={startedAt} durationMs={durationMs} />
        )}
    </div>
  );
}
