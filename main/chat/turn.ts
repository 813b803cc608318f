import type { Attachment } from '../../shared/attachments.ts';
import type { Message, SummaryBlock, TurnState } from '../../shared/chat.ts';
import { HostError, toErrorInfo } from '../../shared/errors.ts';
import { STOPPED } from '../consent/endings.ts';
import { QUIT } from '../quit.ts';
import { isUsed } from './summary.ts';
import type { Turn, TurnDeps } from './turnDeps.ts';
import { runTurn } from './turnLoop.ts';
import { sumUpAll } from './turnRoom.ts';

interface Running {
  state: TurnState;
  abort: AbortController;
  /** What stops one call, by its id. */
  calls: Map<string, AbortController>;
  /** Never rejects. */
  ended: Promise<void>;
}

type Run = (deps: TurnDeps, turn: Turn) => Promise<boolean>;

type EndListener = (conversationId: string, well: boolean) => void;

/** The turns that are under way: one in each conversation at most. */
export class Turns {
  readonly #deps: TurnDeps;
  readonly #running = new Map<string, Running>();
  readonly #endListeners: EndListener[] = [];
  #closed = false;

  constructor(deps: TurnDeps) {
    this.#deps = deps;
  }

  /**
   * Stores the message and starts the turn; does not wait for its end.
   * @throws HostError `chat.busy`, or why no model can be asked. Nothing is stored then.
   */
  async send(
    conversationId: string,
    text: string,
    attachments: readonly Attachment[] = [],
    place: { parentId?: string | null } = {},
  ): Promise<void> {
    if (text.trim() === '' && attachments.length === 0)
      throw new HostError('chat.empty', 'There is nothing to send.', 'Write a message first.');
    const { conversations } = this.#deps;
    const message = { attachments, ...place };
    this.#start(conversationId, () => conversations.addUserMessage(conversationId, text, message).id);
  }

  /** Puts another version of what the person wrote beside it. @throws HostError as `send` */
  async edit(
    conversationId: string,
    messageId: string,
    text: string,
    attachments: readonly Attachment[] = [],
  ): Promise<void> {
    const message = this.#message(conversationId, messageId);
    if (message.role !== 'user')
      throw new HostError('message.role', 'Only what the person has written can be edited.');
    await this.send(conversationId, text, attachments, { parentId: message.parentId ?? null });
  }

  /** Has the model answer a message of the person anew, or write another version of one answer. @throws HostError as `send` */
  async regenerate(conversationId: string, messageId: string): Promise<void> {
    const { role, parentId = null } = this.#message(conversationId, messageId);
    const summary = this.#summaryBefore(conversationId, messageId);
    this.#start(
      conversationId,
      () => (role === 'user' ? messageId : parentId),
      (deps, turn) => runTurn(deps, turn, summary),
    );
  }

  /** Runs the model again from the conversation as it is. @throws HostError as `send`, or `chat.nothing`. */
  async resume(conversationId: string): Promise<void> {
    this.#start(conversationId, () => this.#unfinished(conversationId).id);
  }

  /**
   * Has everything up to the last answer summarised; `goOn` runs the model after that. Does not wait for its end.
   * @throws HostError `chat.busy`, or why no model can be asked
   */
  async summarise(conversationId: string, goOn: boolean): Promise<void> {
    const leaf = this.#deps.conversations.messages(conversationId).at(-1);
    if (!leaf) throw new HostError('summary.nothing', 'There is nothing to summarise yet.');
    this.#start(
      conversationId,
      () => leaf.id,
      async (deps, turn) => {
        try {
          await sumUpAll(deps, turn);
        } catch (error) {
          if (turn.signal.aborted) return false;
          throw error;
        }
        return goOn ? runTurn(deps, turn) : true;
      },
    );
  }

  /** Ends stream, calls and questions; resolves when the conversation is at rest. */
  async stop(conversationId: string): Promise<void> {
    const running = this.#running.get(conversationId);
    running?.abort.abort(STOPPED);
    await running?.ended;
  }

  isRunning(conversationId: string): boolean {
    return this.#running.has(conversationId);
  }

  /** Tells of every turn that ends, and whether the model came to an end of its own. */
  onEnd(listener: EndListener): void {
    this.#endListeners.push(listener);
  }

  /** Ends one call and lets the turn go on; returns whether there was such a call. */
  stopCall(conversationId: string, callId: string): boolean {
    const call = this.#running.get(conversationId)?.calls.get(callId);
    call?.abort(STOPPED);
    return call !== undefined;
  }

  /** @throws HostError `chat.busy` while a turn runs. */
  mustRest(conversationId: string): void {
    if (!this.isRunning(conversationId)) return;
    const hint = 'Wait for the answer, or stop it.';
    throw new HostError('chat.busy', 'This conversation is still being answered.', hint);
  }

  states(): TurnState[] {
    return [...this.#running.values()].map(({ state }) => state);
  }

  /** Ends all turns, but not the tasks that servers go on with; resolves when every conversation is at rest. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { abort } of this.#running.values()) abort.abort(QUIT);
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** @param prepare returns what the first answer follows */
  #start(conversationId: string, prepare: () => string | null, run: Run = runTurn): void {
    if (this.#closed) throw new HostError('host.closing', 'Parley is closing.');
    this.mustRest(conversationId);
    const { settings } = this.#deps.conversations.get(conversationId);
    const current = this.#deps.modelFor(settings.model);
    const parentId = prepare();
    const abort = new AbortController();
    const running: Running = {
      state: { conversationId, phase: 'thinking' },
      abort,
      calls: new Map(),
      ended: Promise.resolve(),
    };
    this.#running.set(conversationId, running);
    running.ended = run(this.#deps, {
      conversationId,
      parentId,
      current,
      settings,
      signal: abort.signal,
      stop: () => abort.abort(STOPPED),
      calls: running.calls,
      onPhase: state => {
        running.state = { conversationId, ...state };
        this.#deps.emit('turn.changed', running.state);
      },
    })
      .catch((error: unknown) => {
        this.#deps.emit('problem', toErrorInfo(error));
        return false;
      })
      .then(well => {
        this.#running.delete(conversationId);
        this.#deps.emit('turn.changed', { conversationId, phase: 'idle' });
        for (const listener of this.#endListeners) listener(conversationId, well);
      });
  }

  #message(conversationId: string, messageId: string): Message {
    const shown = this.#deps.conversations.messages(conversationId);
    const message = shown.find(({ id }) => id === messageId);
    if (!message)
      throw new HostError('message.notFound', 'This message is not on the branch that is shown, or is gone.');
    return message;
  }

  /** The summary that an answer began with which is written again: without it, all that it stands for would go along. */
  #summaryBefore(conversationId: string, messageId: string): SummaryBlock | undefined {
    const shown = this.#deps.conversations.messages(conversationId);
    const at = shown.findIndex(({ id }) => id === messageId);
    const answer = shown[at]?.role === 'user' ? shown[at + 1] : shown[at];
    const summary = answer?.blocks.find(isUsed);
    // One on the person's wish stands for the answer too.
    if (!summary || summary.upTo === answer?.id) return undefined;
    const { usage: _countedThere, ...same } = summary;
    return same;
  }

  /** The last message, with which the turn is not at its end. */
  #unfinished(conversationId: string): Message {
    const last = this.#deps.conversations.messages(conversationId).at(-1);
    const hasWork =
      last?.role === 'user' ||
      last?.status === 'incomplete' ||
      last?.stopReason === 'tool_use' ||
      last?.stopReason === 'pause_turn';
    if (!last || !hasWork)
      throw new HostError('chat.nothing', 'There is nothing to go on with.', 'Write a message.');
    return last;
  }
}
