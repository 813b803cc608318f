import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type ConversationSettings, EFFORTS, type ModelChoices } from '../../shared/conversationSettings.ts';
import { act } from '../stores/app.ts';
import { ensureConversation, useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Select } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import styles from './ConversationSettings.module.css';
import { ToolsHere } from './ToolsHere.tsx';
import { useModelOptions } from './useModelOptions.ts';

/** Leads to what holds for the open conversation alone. */
export function ConversationSettingsButton() {
  const settings = useConversations(
    state => state.conversations.find(({ id }) => id === state.openId)?.settings,
  );
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Settings of this conversation…" onClick={() => setOpen(true)}>
        <SlidersHorizontal size={17} aria-hidden="true" />
      </IconButton>
      {open && <SettingsDialog settings={settings ?? {}} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The choices that leave it to others; no id of a model has a blank in it. */
const AS_USUAL = 'as usual';
const words = { low: 'Low', medium: 'Medium', high: 'High', xhigh: 'Very high', max: 'Highest' } as const;

function SettingsDialog({ settings, onClose }: { settings: ConversationSettings; onClose(): void }) {
  const [wanted, setWanted] = useState(settings);
  const [temperature, setTemperature] = useState(settings.temperature?.toString() ?? '');
  const usual = useSettings(state => state.model.model);
  const model = wanted.model ?? usual;
  const options = useModelOptions(model);
  const choices = useChoices(model);
  const wrong = temperatureError(temperature);
  const put = (change: Partial<ConversationSettings>) => setWanted(before => ({ ...before, ...change }));
  const save = async () => {
    if (wrong) return;
    const number = temperature.trim() === '' ? undefined : Number(temperature);
    const conversationId = await ensureConversation();
    await request('conversations.configure', {
      conversationId,
      settings: withoutEmpty({ ...wanted, temperature: number }),
    });
    onClose();
  };
  return (
    <FormDialog
      wide
      title="Settings of this conversation"
      action="Save"
      className={styles.form}
      onClose={onClose}
      onSubmit={() => act(save())}
    >
      <div className={styles.pair}>
        <Select
          label="Who answers here"
          value={wanted.model ?? AS_USUAL}
          options={[{ value: AS_USUAL, label: `Default: ${usual}` }, ...options]}
          onChange={value => put({ model: value === AS_USUAL ? undefined : value })}
        />
        <Select
          label="Effort"
          value={wanted.effort ?? AS_USUAL}
          disabled={choices?.efforts?.length === 0}
          hint={choices?.efforts?.length === 0 ? 'This model takes none.' : undefined}
          options={[
            { value: AS_USUAL, label: 'The model’s own' },
            ...EFFORTS.filter(
              level => choices?.efforts?.includes(level) !== false || level === wanted.effort,
            ).map(level => ({ value: level, label: words[level] })),
          ]}
          onChange={value =>
            put({ effort: value === AS_USUAL ? undefined : (value as ConversationSettings['effort']) })
          }
        />
        <Select
          label="Thinking"
          value={wanted.thinking === false ? 'off' : 'on'}
          hint={choices && thinkingHint(choices)}
          options={[
            { value: 'on', label: 'Thinks where the model can' },
            { value: 'off', label: 'Answers without thinking' },
          ]}
          onChange={value => put({ thinking: value === 'off' ? false : undefined })}
        />
        <TextField
          label="Temperature"
          inputMode="decimal"
          placeholder="The model’s own"
          value={temperature}
          onChange={setTemperature}
          error={wrong}
          hint="0 to 1. With one, the model does not think."
        />
      </div>
      <TextField
        label="Instructions"
        multiline
        rows={4}
        value={wanted.instructions ?? ''}
        onChange={instructions => put({ instructions })}
        hint="Told to the model with every request, after what Parley tells it."
      />
      <ToolsHere settings={wanted} onChange={put} />
    </FormDialog>
  );
}

/** What can be told to the model; undefined until it is known, or when the endpoint cannot be asked. */
function useChoices(model: string): ModelChoices | undefined {
  const [found, setFound] = useState<{ model: string; choices: ModelChoices }>();
  useEffect(() => {
    let gone = false;
    request('model.choices', { model }).then(
      choices => gone || setFound({ model, choices }),
      // Without an answer everything may be chosen; the next message says what is wrong with the endpoint.
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [model]);
  return found?.model === model ? found.choices : undefined;
}

function thinkingHint({ thinking, alwaysThinks }: ModelChoices): string | undefined {
  if (alwaysThinks) return 'This model always thinks; how much follows from the effort.';
  return thinking ? undefined : 'This model does not say that it can.';
}

function temperatureError(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  return number >= 0 && number <= 1 ? undefined : 'A number from 0 to 1, such as 0.3.';
}

function withoutEmpty(settings: ConversationSettings): ConversationSettings {
  const isEmpty = (value: unknown) =>
    value === undefined ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => !isEmpty(value)));
}
