import { GUIDE } from '../../shared/settings.ts';
import { act, go } from '../stores/app.ts';
import { useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { useSettings } from '../stores/settings.ts';
import { Button } from '../ui/Button.tsx';
import { Select } from '../ui/Select.tsx';
import styles from './ChatHeader.module.css';
import { ContextMeter } from './ContextMeter.tsx';
import { ConversationSettingsButton } from './ConversationSettings.tsx';
import { FullAutoButton } from './FullAutoButton.tsx';
import { OutlineButton } from './Outline.tsx';
import { useModelOptions } from './useModelOptions.ts';

/** The title, and who answers. */
export function ChatHeader() {
  const title = useConversations(state => state.conversations.find(({ id }) => id === state.openId)?.title);
  const status = useSettings(state => state.model);
  const unreachable =
    status.key === 'none' && status.headers.length === 0 && status.baseUrlFrom === 'default';
  return (
    <header className={styles.header}>
      <h1 className={styles.title} title={title}>
        {title ?? 'New conversation'}
      </h1>
      <ContextMeter />
      <OutlineButton />
      <ConversationSettingsButton />
      <FullAutoButton />
      {unreachable && status.model === GUIDE ? (
        <p className={styles.guide}>
          <span>Guide: no language model</span>
          <Button size="small" onClick={() => go('model')}>
            Enter a key
          </Button>
        </p>
      ) : (
        <ModelPicker />
      )}
    </header>
  );
}

function ModelPicker() {
  const byDefault = useSettings(state => state.model.model);
  const open = useConversations(state => state.conversations.find(({ id }) => id === state.openId));
  const model = open?.settings.model ?? byDefault;
  const options = useModelOptions(model);
  const choose = (chosen: string) =>
    open
      ? request('conversations.configure', {
          conversationId: open.id,
          settings: { ...open.settings, model: chosen },
        })
      : request('settings.update', { model: chosen });
  return (
    <div className={styles.picker}>
      <Select
        label="Who answers"
        hideLabel
        value={model}
        options={options}
        onChange={chosen => act(choose(chosen))}
      />
    </div>
  );
}
