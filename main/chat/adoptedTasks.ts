import type { Message, ToolCallBlock } from '../../shared/chat.ts';
import { HostError, toErrorInfo } from '../../shared/errors.ts';
import { STOPPED } from '../consent/endings.ts';
import type { Db } from '../database.ts';
import { QUIT } from '../quit.ts';
import type { ClientManager } from '../servers/clientManager.ts';
import { cutForModel } from './contextResult.ts';
import type { Conversations } from './conversations.ts';
import { adoptTasks } from './interrupted.ts';

interface Followed {
  conversationId: string;
  messageId: string;
  callId: string;
  stop: AbortController;
  /** Never rejects. */
  ended: Promise<void>;
}

/** Tasks that were running when Parley ended: waited for again, until their cards and conversations have the result. */
export class AdoptedTasks {
  readonly #deps: { db: Db; conversations: Conversations; manager: ClientManager };
  readonly #followed = new Set<Followed>();

  constructor(deps: { db: Db; conversations: Conversations; manager: ClientManager }) {
    this.#deps = deps;
  }

  /** Begins to wait for all that nobody waits for; to be called once, at the start. */
  adopt(): void {
    for (const { message, index } of adoptTasks(this.#deps.db, this.#deps.conversations)) {
      const block = message.blocks[index];
      if (block?.type !== 'toolCall') continue;
      const stop = new AbortController();
      const followed: Followed = {
        conversationId: message.conversationId,
        messageId: message.id,
        callId: block.id,
        stop,
        ended: Promise.resolve(),
      };
      this.#followed.add(followed);
      followed.ended = this.#follow(message, index, block, stop.signal).finally(() =>
        this.#followed.delete(followed),
      );
    }
  }

  /** Cancels one call, or all of a conversation; resolves when that has been told to the servers. */
  async stop(conversationId: string, callId?: string): Promise<void> {
    await this.#stop(
      one => one.conversationId === conversationId && (callId === undefined || one.callId === callId),
    );
  }

  /** The same for all calls of these messages. */
  async stopOf(messageIds: readonly string[]): Promise<void> {
    await this.#stop(one => messageIds.includes(one.messageId));
  }

  /** Waits no more; the tasks go on. */
  async close(): Promise<void> {
    for (const { stop } of this.#followed) stop.abort(QUIT);
    await Promise.all([...this.#followed].map(({ ended }) => ended));
  }

  async #stop(isMeant: (one: Followed) => boolean): Promise<void> {
    const meant = [...this.#followed].filter(isMeant);
    for (const { stop } of meant) stop.abort(STOPPED);
    await Promise.all(meant.map(({ ended }) => ended));
  }

  async #follow(message: Message, index: number, call: ToolCallBlock, signal: AbortSignal): Promise<void> {
    let block = call;
    const update = (patch: Partial<ToolCallBlock>) => {
      block = { ...block, ...patch };
      this.#deps.conversations.setBlock(message, index, block);
    };
    const end = (patch: Partial<ToolCallBlock>) => {
      const durationMs = block.startedAt === undefined ? undefined : Date.now() - block.startedAt;
      update({ ...patch, ...(durationMs === undefined ? {} : { durationMs }) });
    };
    try {
      const result = await this.#result(block, message.conversationId, signal, update);
      end({ status: result.isError ? 'failed' : 'done', result, ...cutForModel(result) });
    } catch (error) {
      if (error instanceof HostError && error.code === 'call.left') return;
      if (!(error instanceof HostError)) console.error('Bug while waiting for a task:', error);
      end({ status: signal.aborted ? 'cancelled' : 'failed', error: toErrorInfo(error) });
    }
  }

  /** The server may be changed or started anew meanwhile: it is known by its name. */
  async #result(
    { server = '', task }: ToolCallBlock,
    conversationId: string,
    signal: AbortSignal,
    update: (patch: Partial<ToolCallBlock>) => void,
  ) {
    if (!task) throw new HostError('task.unknown', 'There is no task to wait for.');
    let handle = task;
    for (;;) {
      const connection = this.#deps.manager.connection(server);
      if (!connection)
        throw new HostError('server.gone', `The server “${server}” of this task is not there any more.`);
      try {
        return await connection.followTask(handle, {
          signal,
          conversationId,
          onTask: next => {
            handle = next;
            update({ task: next });
          },
        });
      } catch (error) {
        const replaced = this.#deps.manager.connection(server) !== connection;
        if (!(error instanceof HostError && error.code === 'server.gone' && replaced)) throw error;
      }
    }
  }
}
