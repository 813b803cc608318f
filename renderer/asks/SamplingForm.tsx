import { Sparkles } from 'lucide-react';
import type { AskOf } from '../../shared/asks.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { AskCard } from './AskCard.tsx';
import { HiddenText } from './HiddenText.tsx';
import { JsonView } from './JsonView.tsx';
import { EditedText, SamplingBlocks } from './SamplingBlocks.tsx';
import styles from './SamplingForm.module.css';
import { useAnswer } from './useAnswer.ts';
import { useTexts } from './useTexts.ts';

/** A server wants the model to complete a prompt: all of it, to be read and changed before anything is sent. */
export function SamplingForm({ ask }: { ask: AskOf<'sampling'> }) {
  const { answer, busy, settled, error } = useAnswer(ask);
  const { textOf, change } = useTexts(ask.id);
  const limit = textOf('limit', String(ask.maxTokens));
  const limitError = problemWith(limit, ask.maxTokens);
  const deny = () => answer({ action: 'deny' });
  const allow = () =>
    answer({
      action: 'allow',
      model: textOf('model', ask.model),
      systemPrompt: textOf('system', ask.systemPrompt),
      maxTokens: Number(limit),
      messages: ask.messages.map(({ role, content }, message) => ({
        role,
        content: content.map((block, index) =>
          block.type === 'text'
            ? { ...block, text: textOf(`${message}.${index}`, String(block.text)) }
            : block,
        ),
      })),
    });
  return (
    <AskCard
      icon={<Sparkles size={18} />}
      server={ask.server}
      lead="asked by the server"
      title="May it ask the language model this?"
      error={error}
      onEscape={deny}
      actions={
        <>
          <Button variant="primary" disabled={busy || !settled || limitError !== undefined} onClick={allow}>
            Send to the model
          </Button>
          <Button disabled={busy} onClick={deny}>
            Refuse
          </Button>
        </>
      }
    >
      <p>Change it as you like. You see the answer before the server does.</p>
      {ask.messages.map(({ role, content }, message) => (
        <SamplingBlocks
          // The messages of a prompt never change places.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={message}
          label={role === 'user' ? 'To the model' : 'Said by the model before'}
          content={content}
          textOf={(index, text) => textOf(`${message}.${index}`, text)}
          onChange={(index, text) => change(`${message}.${index}`, text)}
        />
      ))}
      {ask.systemPrompt !== '' && (
        <EditedText
          label="System prompt"
          text={textOf('system', ask.systemPrompt)}
          onChange={text => change('system', text)}
        />
      )}
      {ask.tools.length > 0 && (
        <section>
          <Callout tone="info">
            The model may answer with calls of these tools. They are the server’s own: it runs them, not
            Parley.
          </Callout>
          {ask.tools.map(tool => (
            <details key={tool.name} className={styles.tool}>
              <summary>
                <HiddenText text={tool.name} />
              </summary>
              <JsonView value={{ description: tool.description ?? '', inputSchema: tool.inputSchema }} />
            </details>
          ))}
        </section>
      )}
      <div className={styles.facts}>
        <Select
          label="Model"
          hint={hintFor(ask.hints)}
          value={textOf('model', ask.model)}
          options={ask.models.map(model => ({ value: model, label: model }))}
          onChange={model => change('model', model)}
        />
        <TextField
          label="Longest answer, in tokens"
          inputMode="numeric"
          value={limit}
          error={limitError}
          onChange={text => change('limit', text)}
        />
      </div>
    </AskCard>
  );
}

function hintFor(hints: readonly string[]): string | undefined {
  return hints.length === 0 ? undefined : `The server would like: ${hints.join(', ')}.`;
}

function problemWith(limit: string, most: number): string | undefined {
  const value = Number(limit);
  return Number.isInteger(value) && value >= 1 && value <= most
    ? undefined
    : `A whole number from 1 to ${most}.`;
}
