import type { NoticeBlock } from '../../shared/chat.ts';
import { act, go } from '../stores/app.ts';
import { isLast, useConversations } from '../stores/conversations.ts';
import { request } from '../stores/host.ts';
import { Button } from '../ui/Button.tsx';
import { Callout } from '../ui/Callout.tsx';

interface Props {
  notice: NoticeBlock;
  conversationId: string;
  messageId: string;
}

/** What a shorter prompt would not run into. */
const TOO_LONG = new Set(['model.tooLong', 'model.tooLarge', 'answer.windowExceeded']);

const tones = { info: 'info', warning: 'warning', error: 'danger' } as const;

/** What Parley says about the turn; at the end of the conversation with the way on. */
export function Notice({ notice, conversationId, messageId }: Props) {
  const last = useConversations(state => isLast(state, messageId));
  const running = useConversations(state => conversationId in state.turns);
  const { code, message, hint, level } = notice;
  const resumable = last && !running && level !== 'info';
  return (
    <Callout tone={tones[level]} error={{ code, message, hint }}>
      {resumable && (
        <div>
          {TOO_LONG.has(code) && (
            <>
              <Button
                size="small"
                onClick={() => act(request('chat.summarise', { conversationId, goOn: true }))}
              >
                Summarise earlier messages and go on
              </Button>{' '}
            </>
          )}
          <Button size="small" onClick={() => act(request('chat.resume', { conversationId }))}>
            {level === 'error' ? 'Retry' : 'Continue'}
          </Button>{' '}
          {level === 'error' && (
            <Button size="small" variant="ghost" onClick={() => go('model')}>
              Open Model
            </Button>
          )}
        </div>
      )}
    </Callout>
  );
}
