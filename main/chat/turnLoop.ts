/** The loop: ask the model, run the tools that it wants, ask again with their results, until it has finished. */
import type { Block, Message, NoticeBlock, SummaryBlock, ToolCallBlock } from '../../shared/chat.ts';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';
import { GUIDE } from '../../shared/settings.ts';
import { isQuit } from '../quit.ts';
import type { RegisteredTool } from '../tools/registry.ts';
import { resultLimit } from '../tools/resultCut.ts';
import { READ_RESULT } from './contextResult.ts';
import { estimate } from './contextSize.ts';
import type { Conversations } from './conversations.ts';
import { FIND_TOOLS, FIND_TOOLS_TITLE } from './findTools.ts';
import { READ_RESULT_TITLE } from './readResult.ts';
import { systemPrompt } from './systemPrompt.ts';
import { loadedTools, toolsToSend } from './toolSelection.ts';
import { toolsChanged } from './toolsChanged.ts';
import { runCalls } from './turnCalls.ts';
import type { Turn, TurnDeps } from './turnDeps.ts';
import { judge, type Verdict } from './turnEnd.ts';
import { isTooLong, makeRoom, sumUp, USUAL_WINDOW } from './turnRoom.ts';

/** Requests in one turn: a model that never comes to an end must not spend for ever. */
const MAX_ROUNDS = 100;
/** How often a provider may pause one answer. */
const MAX_PAUSES = 10;

/**
 * Leaves a valid conversation whatever happens; rejects only when it cannot be stored.
 * @param summary what the first answer begins with: it stands for what was before
 * @returns whether the model has come to an end of its own
 */
export async function runTurn(deps: TurnDeps, turn: Turn, summary?: SummaryBlock): Promise<boolean> {
  let pauses = 0;
  for (let round = 1; ; round++) {
    const answer = new Answer(deps, turn, { isFirst: round === 1, isAfterPause: pauses > 0 });
    if (round === 1 && summary) answer.beginWith(summary);
    const verdict = await answer.write();
    if (verdict.next === 'end') {
      answer.finish(verdict);
      return verdict.status === 'complete';
    }
    if (verdict.next === 'pause') {
      const over = ++pauses > MAX_PAUSES || round >= MAX_ROUNDS;
      answer.finish({ ...verdict, ...(over ? { notice: pausedTooOften } : {}) });
      if (over) return false;
      continue;
    }
    pauses = 0;
    await answer.runCalls();
    if (turn.signal.aborted) {
      answer.finish(stopped(verdict.stopReason, turn.signal));
      return false;
    }
    const over = round >= MAX_ROUNDS;
    answer.finish({ ...verdict, ...(over ? { notice: tooManyRounds } : {}) });
    if (over) return false;
  }
}

/** One answer of the model, on its way into the conversation. */
class Answer {
  readonly #deps: TurnDeps;
  readonly #turn: Turn;
  readonly #message: Message;
  /** All that the model may use. */
  readonly #available: RegisteredTool[];
  /** The names of those that it has, where it searches the others. */
  #loaded: string[] | undefined;
  #window: number | undefined;

  constructor(
    deps: TurnDeps,
    turn: Turn,
    { isFirst, isAfterPause }: { isFirst: boolean; isAfterPause: boolean },
  ) {
    this.#deps = deps;
    this.#turn = turn;
    turn.onPhase({ phase: 'thinking' });
    this.#available = deps.registry.available(turn.settings);
    const place = isFirst ? { parentId: turn.parentId } : {};
    this.#message = deps.conversations.beginAnswer(turn.conversationId, turn.current.model, place);
    // A paused answer goes on exactly as it was; what changed meanwhile is told with the request after it.
    if (turn.current.model !== GUIDE && !isAfterPause) this.#tellChangedTools(deps.conversations);
  }

  beginWith(block: Block): void {
    this.#deps.conversations.setBlock(this.#message, this.#message.blocks.length, block);
  }

  /** Streams the answer into the conversation and says what is to follow. */
  async write(): Promise<Verdict> {
    const verdict = await this.#ask();
    // A prompt that the endpoint does not take is no dead end: a shorter one may do.
    if (!isTooLong(verdict.notice) || this.#hasContent() || this.#deps.compactAt() === undefined)
      return verdict;
    try {
      return (await sumUp(this.#deps, this.#turn, this.#message, this.#window)) ? await this.#ask() : verdict;
    } catch (error) {
      const { signal } = this.#turn;
      return signal.aborted ? stopped(null, signal) : failed(toErrorInfo(error), false);
    }
  }

  async #ask(): Promise<Verdict> {
    const { current, settings, conversationId, signal } = this.#turn;
    let stopReason: string | null = null;
    try {
      this.#window = await current.chatModel.windowOf?.(current.model, signal);
      this.#loaded = this.#load();
      const system = systemPrompt(this.#deps.manager.views(), settings);
      const beside = estimate([system, toolsToSend(this.#available, this.#loaded, [])]);
      await makeRoom(this.#deps, this.#turn, this.#message, { window: this.#window, beside });
      const messages = this.#deps.conversations.messages(conversationId);
      const offset = this.#message.blocks.length;
      const request = {
        conversationId,
        model: current.model,
        system,
        messages,
        tools: toolsToSend(this.#available, this.#loaded, messages),
        maxTokens: current.maxTokens,
        effort: settings.effort,
        thinking: settings.thinking,
        temperature: settings.temperature,
      };
      for await (const event of current.chatModel.stream(request, signal)) {
        switch (event.type) {
          case 'block':
            this.#turn.onPhase({ phase: 'streaming' });
            this.#set(offset + event.index, event.block, event.done);
            break;
          case 'delta':
            this.#deps.conversations.appendToBlock(
              this.#message,
              offset + event.index,
              event.kind,
              event.text,
            );
            break;
          case 'retrying':
            this.#turn.onPhase({
              phase: 'retrying',
              retry: { reason: event.reason, at: event.at, attempt: event.attempt },
            });
            break;
          case 'usage':
            this.#deps.conversations.setUsage(this.#message, event.usage);
            break;
          case 'end':
            stopReason = event.stopReason;
        }
      }
    } catch (error) {
      if (!signal.aborted) return failed(toErrorInfo(error), this.#hasContent());
    }
    if (signal.aborted) return stopped(stopReason, signal);
    return judge(stopReason, this.#message.blocks);
  }

  async runCalls(): Promise<void> {
    this.#turn.onPhase({ phase: 'tools' });
    await runCalls(this.#deps, this.#message, {
      ...this.#turn,
      resultLimit: resultLimit(this.#window ?? USUAL_WINDOW),
      onWanted: names => this.#loadMore(names),
    });
  }

  finish({ status, stopReason, notice, notRun }: Verdict): void {
    const { conversations } = this.#deps;
    this.#message.blocks.forEach((block, index) => {
      if (block.type === 'toolCall' && block.status === 'pending')
        conversations.setBlock(this.#message, index, callNotRun(block, notRun));
    });
    if (notice) conversations.setBlock(this.#message, this.#message.blocks.length, notice);
    conversations.finish(this.#message, status, stopReason ?? undefined);
  }

  #set(index: number, block: Block, finished: boolean): void {
    this.#deps.conversations.setBlock(this.#message, index, this.#named(block), { finished });
  }

  /** A call with whom it is for, if anybody. */
  #named(block: Block): Block {
    if (block.type !== 'toolCall') return block;
    if (block.modelName === FIND_TOOLS) return { ...block, title: FIND_TOOLS_TITLE };
    if (block.modelName === READ_RESULT) return { ...block, title: READ_RESULT_TITLE };
    const info = this.#deps.registry.resolve(block.modelName)?.info;
    if (!info) return block;
    const { server, name: tool, title } = info;
    return { ...block, server, tool, ...(title === undefined ? {} : { title }) };
  }

  #tellChangedTools(conversations: Conversations): void {
    const names = this.#available.map(({ info }) => info.modelName);
    const before = conversations.toolsOfferedBefore(this.#message);
    const notice = toolsChanged(before, names);
    if (notice) conversations.setBlock(this.#message, 0, notice);
    if (notice || !before) conversations.setOfferedTools(this.#message, names);
  }

  /** What the model has of the tools; the Guide, which is none, always has all. */
  #load(): string[] | undefined {
    const { conversationId, current } = this.#turn;
    if (current.model === GUIDE) return undefined;
    const { conversations } = this.#deps;
    const before = conversations.loadedTools(conversationId);
    const loaded = loadedTools({
      wish: this.#deps.toolSearch(),
      available: this.#available,
      before,
      messages: () => conversations.messages(conversationId),
      window: this.#window ?? USUAL_WINDOW,
    });
    if (loaded && !before) conversations.setLoadedTools(this.#message, loaded);
    return loaded;
  }

  #loadMore(names: readonly string[]): void {
    const more = names.filter(name => !this.#loaded?.includes(name));
    if (!this.#loaded || more.length === 0) return;
    this.#loaded.push(...more);
    this.#deps.conversations.setLoadedTools(this.#message, this.#loaded);
  }

  #hasContent(): boolean {
    return this.#message.blocks.some(({ type }) => type !== 'notice' && type !== 'summary');
  }
}

function callNotRun(
  call: ToolCallBlock,
  why = 'The answer did not end as it should, so this call was not run.',
) {
  return { ...call, status: 'cancelled' as const, error: { code: 'call.notRun', message: why } };
}

function failed({ code, message, hint }: ErrorInfo, begun: boolean): Verdict {
  const notice: NoticeBlock = {
    type: 'notice',
    level: 'error',
    code,
    message: begun ? `The answer was interrupted: ${message}` : message,
    ...(hint === undefined ? {} : { hint }),
  };
  return { next: 'end', status: 'incomplete', stopReason: null, notice };
}

function stopped(stopReason: string | null, signal: AbortSignal): Verdict {
  const message = isQuit(signal) ? 'Parley was closed here.' : 'Stopped.';
  return {
    next: 'end',
    status: 'incomplete',
    stopReason,
    notice: { type: 'notice', level: 'info', code: 'turn.stopped', message },
    notRun: 'The person stopped before this call was run.',
  };
}

const pausedTooOften: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'turn.pauses',
  message: `The provider paused this answer more than ${MAX_PAUSES} times, so Parley stopped asking.`,
  hint: 'Continue if the answer is worth it.',
};

const tooManyRounds: NoticeBlock = {
  type: 'notice',
  level: 'warning',
  code: 'turn.rounds',
  message: `The model has asked for tools ${MAX_ROUNDS} times in a row, so Parley stopped here.`,
  hint: 'Continue if it is on the right way.',
};
