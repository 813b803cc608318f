/** What the end of an answer means: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
import type { Block, NoticeBlock } from '../../shared/chat.ts';
import { CALL_CUT } from './model.ts';

export interface Verdict {
  /** calls: run them and ask again. pause: ask again at once. */
  next: 'end' | 'calls' | 'pause';
  status: 'complete' | 'incomplete';
  stopReason: string | null;
  notice?: NoticeBlock;
  /** Why calls of this answer were not run; the model is told. */
  notRun?: string;
}

/** Tools run only when every call of the answer arrived whole and the answer ended in order to have them run. */
export function judge(stopReason: string | null, blocks: readonly Block[]): Verdict {
  const calls = blocks.filter(block => block.type === 'toolCall');
  const cut = calls.some(call => call.error?.code === CALL_CUT);
  switch (stopReason) {
    case 'tool_use':
      if (cut) return incomplete(stopReason, callCut, callCut.message);
      return { next: calls.length > 0 ? 'calls' : 'end', status: 'complete', stopReason };
    case 'pause_turn':
      if (cut) return incomplete(stopReason, callCut, callCut.message);
      return {
        next: 'pause',
        status: 'complete',
        stopReason,
        notRun: 'The provider paused before this call.',
      };
    case 'end_turn':
    case 'stop_sequence':
      if (calls.length > 0) return incomplete(stopReason, callsAtEnd, callsAtEnd.message);
      return { next: 'end', status: 'complete', stopReason, ...(isEmpty(blocks) ? { notice: empty } : {}) };
    case 'max_tokens':
      return incomplete(stopReason, tokenLimit, 'Not run: the answer was cut off at the token limit.');
    case 'refusal':
      return incomplete(stopReason, refusal);
    case 'model_context_window_exceeded':
      return incomplete(stopReason, windowExceeded);
    case null:
      return incomplete(stopReason, noReason);
    default:
      return incomplete(stopReason, unknown(stopReason));
  }
}

function incomplete(stopReason: string | null, notice: NoticeBlock, notRun?: string): Verdict {
  return { next: 'end', status: 'incomplete', stopReason, notice, ...(notRun ? { notRun } : {}) };
}

function isEmpty(blocks: readonly Block[]): boolean {
  return !blocks.some(block => block.type === 'text' && block.text.trim() !== '');
}

const empty: NoticeBlock = {
  type: 'notice',
  level: 'info',
  code: 'answer.empty',
  message: 'The model ended its answer without saying anything.',
};

const callCut: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'answer.callCut',
  message: 'A tool call did not arrive whole, so no tool was run.',
  hint: 'Try again.',
};

const callsAtEnd: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'answer.callsAtEnd',
  message: 'The model named tools but ended its answer, so no tool was run.',
  hint: 'Continue to let it ask again.',
};

const tokenLimit: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'answer.cutOff',
  message: 'The answer was cut off at the token limit.',
  hint: 'Continue, or raise the limit on the Model screen first.',
};

const refusal: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'answer.refused',
  message: 'The model declined to answer this.',
  hint: 'Put it differently in a new message. The declined exchange is not sent again.',
};

const windowExceeded: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'answer.windowExceeded',
  message: 'The conversation has become longer than the model can read.',
  hint: 'Start a new conversation with a short summary, or choose a model with a larger window.',
};

const noReason: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'answer.noReason',
  message: 'The answer ended without saying why, so it may not be complete.',
  hint: 'Continue if something is missing.',
};

function unknown(reason: string): NoticeBlock {
  return {
    type: 'notice',
    level: 'info',
    code: 'answer.unknownReason',
    message: `The answer ended for a reason that Parley does not know: ${reason.slice(0, 100)}.`,
  };
}
