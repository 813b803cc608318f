import type { ToolCallBlock } from '../../shared/chat.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { sizeInWords } from '../ui/media.ts';
import { ContentView } from './ContentView.tsx';
import { FetchedText } from './FetchedText.tsx';
import styles from './ToolResultView.module.css';
import { ToolResultView } from './ToolResultView.tsx';
import { placeOf, useWholeResult } from './useWholeResult.ts';

interface Props {
  call: ToolCallBlock;
  abridged: NonNullable<ToolCallBlock['abridged']>;
  cardKey: string;
}

/** A result of which the message holds only the beginning. */
export function LargeResult({ call, abridged, cardKey }: Props) {
  const { result, comes, load, busy, error } = useWholeResult(call, cardKey, true);
  if (result) return <ToolResultView result={result} server={call.server} viewKey={cardKey} />;
  if (error) return <Callout tone="danger" error={error} />;
  if (comes) return <p className={styles.note}>Reading the result…</p>;
  const size = sizeInWords(abridged.length);
  return (
    <div className={styles.result}>
      <div className={styles.bar}>
        <p className={styles.note}>It has about {size}: only the beginning of each part is shown.</p>
        <Button size="small" disabled={busy} onClick={() => void load()}>
          Show all of it
        </Button>
      </div>
      <Beginnings call={call} abridged={abridged} cardKey={cardKey} />
    </div>
  );
}

function Beginnings({ call, abridged: { parts, left }, cardKey }: Props) {
  return (
    <>
      {(call.result?.content ?? []).map((item, index) =>
        index in parts ? (
          <Beginning
            // The list of a result never changes.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            part={String(index)}
            head={item.type === 'text' && typeof item.text === 'string' ? item.text : undefined}
            what={`${item.type} of ${sizeInWords(parts[index] ?? 0)}`}
            cardKey={cardKey}
          />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <ContentView key={index} item={item} server={call.server} viewKey={`${cardKey} ${index}`} />
        ),
      )}
      {left > 0 && <p className={styles.note}>There are {left.toLocaleString('en')} further parts.</p>}
      {parts.structured !== undefined && (
        <section aria-label="Structured result">
          <Beginning part="structured" head="" what="data" cardKey={cardKey} />
        </section>
      )}
    </>
  );
}

/** Text that is read on in steps; anything else is only named. */
function Beginning({
  part,
  head,
  what,
  cardKey,
}: {
  part: string;
  head: string | undefined;
  what: string;
  cardKey: string;
}) {
  const conversationId = useConversations(state => state.openId) ?? '';
  if (head === undefined) return <p className={styles.note}>Not loaded: {what}.</p>;
  const where = { conversationId, ...placeOf(cardKey), part };
  const name = part === 'structured' ? 'result.json' : 'result.txt';
  return (
    <FetchedText
      head={head}
      read={(from, length) => request('chat.resultText', { ...where, from, length })}
      save={() => request('app.saveResult', { ...where, name })}
    />
  );
}
