import { Sparkles } from 'lucide-react';
import type { AskOf } from '../../shared/asks.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { AskCard } from './AskCard.tsx';
import { SamplingBlocks } from './SamplingBlocks.tsx';
import { useAnswer } from './useAnswer.ts';
import { useTexts } from './useTexts.ts';

/** What the model answered to a server's prompt: it stays here unless the person lets it go. */
export function SamplingResultForm({ ask }: { ask: AskOf<'samplingResult'> }) {
  const { answer, busy, settled, error } = useAnswer(ask);
  const { textOf, change } = useTexts(ask.id);
  const deny = () => answer({ action: 'deny' });
  const allow = () =>
    answer({
      action: 'allow',
      content: ask.content.map((block, index) =>
        block.type === 'text' ? { ...block, text: textOf(String(index), String(block.text)) } : block,
      ),
    });
  return (
    <AskCard
      icon={<Sparkles size={18} />}
      server={ask.server}
      lead="for the server"
      title="May it have this answer?"
      error={error}
      onEscape={deny}
      actions={
        <>
          <Button variant="primary" disabled={busy || !settled} onClick={allow}>
            Give it to the server
          </Button>
          <Button disabled={busy} onClick={deny}>
            Refuse
          </Button>
        </>
      }
    >
      {ask.stopReason === 'maxTokens' && (
        <Callout tone="warning">The answer ends where the longest allowed length was reached.</Callout>
      )}
      {ask.content.length === 0 && <p>The model answered with nothing.</p>}
      <SamplingBlocks
        label={`Written by ${ask.model}`}
        content={ask.content}
        textOf={(index, text) => textOf(String(index), text)}
        onChange={(index, text) => change(String(index), text)}
      />
    </AskCard>
  );
}
