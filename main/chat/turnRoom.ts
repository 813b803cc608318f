/** Keeps the prompts of a turn within what the model can read. */
import type { Message, NoticeBlock } from '../../shared/chat.ts';
import { HostError, toErrorInfo } from '../../shared/errors.ts';
import { compact } from './compaction.ts';
import { contextSize } from './contextSize.ts';
import { isUsed } from './summary.ts';
import type { Turn, TurnDeps } from './turnDeps.ts';

/** What a model can read, in tokens, where its endpoint does not say. */
export const USUAL_WINDOW = 200_000;

/** Ends of an answer that a shorter prompt would not have had. */
const TOO_LONG = new Set(['model.tooLong', 'model.tooLarge', 'answer.windowExceeded']);

export function isTooLong(notice: NoticeBlock | undefined): boolean {
  return notice !== undefined && TOO_LONG.has(notice.code);
}

/**
 * Before a request: sums up the older part if the prompt takes more than the share of the window that the person set.
 * Says so in `answer`; a failure is said there too, and the request tried as it is.
 * @param beside what system and tools take, in tokens
 */
export async function makeRoom(
  deps: TurnDeps,
  turn: Turn,
  answer: Message,
  { window, beside }: { window: number | undefined; beside: number },
): Promise<void> {
  const share = deps.compactAt();
  // One that is written again may have its summary already.
  if (share === undefined || window === undefined || answer.blocks.some(isUsed)) return;
  if (contextSize(before(deps, answer), beside).tokens <= (window * share) / 100) return;
  try {
    await sumUp(deps, turn, answer, window);
  } catch (error) {
    turn.signal.throwIfAborted();
    const { message, hint } = toErrorInfo(error);
    const notice: NoticeBlock = {
      type: 'notice',
      level: 'info',
      code: 'summary.failed',
      message: `Earlier messages could not be summarised: ${message}`,
      ...(hint === undefined ? {} : { hint }),
    };
    deps.conversations.setBlock(answer, answer.blocks.length, notice);
  }
}

/**
 * Has the older part summed up in `answer`, which is about to be written. Returns whether there was an older part.
 * @throws HostError when the model gives no summary, or the reason of the turn's signal
 */
export async function sumUp(
  deps: TurnDeps,
  turn: Turn,
  answer: Message,
  window = USUAL_WINDOW,
): Promise<boolean> {
  turn.onPhase({ phase: 'summarising' });
  const summary = await compact({ ...turn.current, window }, before(deps, answer), turn.signal);
  if (summary) deps.conversations.setBlock(answer, answer.blocks.length, summary);
  turn.onPhase({ phase: 'thinking' });
  return summary !== undefined;
}

/** On the person's wish: sums up everything up to the last answer. @throws HostError when there is nothing to sum up */
export async function sumUpAll(deps: TurnDeps, turn: Turn): Promise<void> {
  turn.onPhase({ phase: 'summarising' });
  const messages = deps.conversations.messages(turn.conversationId);
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const answer = messages[last];
  if (!turn.current.chatModel.complete)
    throw new HostError('summary.noModel', 'Without a language model there is nothing to summarise.');
  const window = await turn.current.chatModel.windowOf?.(turn.current.model, turn.signal);
  const summary = await compact(
    { ...turn.current, window: window ?? USUAL_WINDOW },
    messages.slice(0, last + 1),
    turn.signal,
    { all: true },
  );
  if (!answer || !summary) throw new HostError('summary.nothing', 'There is nothing to summarise yet.');
  deps.conversations.setBlock(answer, answer.blocks.length, summary);
}

function before({ conversations }: TurnDeps, answer: Message): Message[] {
  return conversations.messages(answer.conversationId).filter(({ id }) => id !== answer.id);
}
