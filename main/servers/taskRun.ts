import { isDeepStrictEqual } from 'node:util';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { type TaskHandle, ToolResult } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import { isQuit } from '../quit.ts';
import type { AskingServer } from './asking.ts';
import { unwrapContent } from './content.ts';
import { messageOf } from './failures.ts';
import { LegacyTask } from './legacyTask.ts';
import type { ServerLog } from './serverLog.ts';
import { answerInput } from './serverRequests.ts';
import type { Session } from './session.ts';
import { TaskQuestions } from './taskQuestions.ts';
import { handleOf, type Task, taskIn } from './taskShapes.ts';
import type { CallOptions } from './types.ts';

/** How often a server is asked that does not say it, and the bounds of what one may say. */
const POLL_MS = 2000;
const SHORTEST_POLL_MS = 20;
const LONGEST_POLL_MS = 60_000;
/** How long a server may be away before its task is given up: a machine may sleep, a server may be restarted. */
const PATIENCE_MS = 60 * 60_000;
/** How often it is looked whether a server that is away is back. */
const AWAY_MS = 500;
/** How long Stop waits for the server to hear of it. */
const CANCEL_MS = 5000;

/** None: a task has its own time to live. The longest delays that a timer can have. */
export const TASK_LIMITS = { idleMs: 2 ** 31 - 1, totalMs: 2 ** 31 - 1 };

export interface TaskDeps {
  server: AskingServer;
  log: ServerLog;
  roots(): readonly string[];
  /** The present session with the server; undefined while there is none. */
  session(): Session | undefined;
  /** Fires when the server is not one of Parley's any more. */
  gone: AbortSignal;
}

/**
 * Waits for the end of a task: asks the server how it is, at the pace that it wishes, and the person what it needs.
 * A server that is away for a while is asked again when it is back. Stop cancels the task; when Parley ends it is left
 * running. Its time to live is respected.
 * @throws HostError for every end but a result
 * @see the tasks extension
 */
export async function followTask(
  first: Task | TaskHandle,
  options: CallOptions,
  deps: TaskDeps,
): Promise<ToolResult> {
  const { log } = deps;
  try {
    return await new TaskRun(first, options, deps).end();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new HostError(error.code, log.redact(error.message), error.hint && log.redact(error.hint), {
      cause: error,
    });
  }
}

class TaskRun {
  readonly #options: CallOptions;
  readonly #deps: TaskDeps;
  readonly #questions: TaskQuestions;
  readonly #legacy: LegacyTask;
  #handle: TaskHandle;
  #task: Task | undefined;
  #heardAt = Date.now();
  #failure: unknown;

  constructor(first: Task | TaskHandle, options: CallOptions, deps: TaskDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#task = 'taskId' in first ? first : undefined;
    this.#handle = 'taskId' in first ? handleOf(first) : first;
    this.#legacy = new LegacyTask(this.#handle.id);
    this.#questions = new TaskQuestions({
      over: AbortSignal.any([options.signal, deps.gone]),
      answer: (request, signal) =>
        answerInput(request, deps, {
          conversationId: options.conversationId,
          signal,
          pause: work => work(),
        }),
      send: inputResponses => this.#request('tasks/update', { inputResponses }),
      fail: error => {
        this.#failure = error;
      },
    });
    options.onTask?.(this.#handle);
  }

  async end(): Promise<ToolResult> {
    const { signal } = this.#options;
    const ends = AbortSignal.any([signal, this.#deps.gone]);
    try {
      for (;;) {
        if (this.#failure !== undefined) throw await this.#giveUp(this.#failure);
        const result = this.#task && this.#judge(this.#task);
        if (result) return result;
        await pause(this.#pauseMs(), ends);
        if (ends.aborted) throw await this.#ended();
        await this.#look();
      }
    } finally {
      this.#questions.close();
    }
  }

  /** The result when there is one. @throws HostError when the task ended without one */
  #judge(task: Task): ToolResult | undefined {
    switch (task.status) {
      case 'completed':
        return asResult(task.result);
      case 'failed': {
        const { code, message } = task.error ?? {
          code: 0,
          message: task.statusMessage ?? 'it gave no reason',
        };
        throw new HostError('task.failed', `The task failed: ${message.slice(0, 2000)} (${code})`);
      }
      case 'cancelled': {
        const why = task.statusMessage ? `: ${task.statusMessage.slice(0, 500)}` : '.';
        throw new HostError('task.cancelled', `The server cancelled the task${why}`);
      }
      case 'input_required':
        this.#questions.open(task.inputRequests ?? {});
        return undefined;
      default:
        this.#questions.open({});
        return undefined;
    }
  }

  /** Asks how the task is. A server that cannot be asked now may be back later. */
  async #look(): Promise<void> {
    try {
      const task = await this.#get();
      if (!task || task.taskId !== this.#handle.id)
        throw new HostError('task.malformed', 'The server said something about its task that is no task.');
      this.#heardAt = Date.now();
      this.#task = task;
      const handle = handleOf(task);
      if (!isDeepStrictEqual(handle, this.#handle)) this.#options.onTask?.(handle);
      this.#handle = handle;
    } catch (error) {
      if (error instanceof HostError) throw error;
      if (error instanceof ProtocolError && UNKNOWN.includes(error.code))
        throw new HostError('task.unknown', `The server does not know its task any more: ${error.message}`);
      this.#checkPatience(error);
    }
  }

  async #get(): Promise<Task | undefined> {
    const session = this.#deps.session();
    if (session?.client.getProtocolEra() === 'legacy') return this.#legacy.look(session.raw);
    return taskIn(await this.#request('tasks/get', {}));
  }

  #checkPatience(error: unknown): void {
    const { createdAt, ttlMs } = this.#handle;
    const endsAt = ttlMs === null ? Number.POSITIVE_INFINITY : Date.parse(createdAt) + ttlMs;
    if (Date.now() > endsAt)
      throw new HostError(
        'task.expired',
        'The server is away, and by now it need not know the task any more.',
      );
    if (Date.now() - this.#heardAt > PATIENCE_MS)
      throw new HostError('task.away', `The server of this task has been away too long: ${messageOf(error)}`);
  }

  #pauseMs(): number {
    if (!this.#deps.session()) return AWAY_MS;
    // Of one from an earlier life nothing is known yet.
    if (!this.#task) return 0;
    const wish = this.#handle.pollIntervalMs ?? POLL_MS;
    return Math.min(Math.max(wish, SHORTEST_POLL_MS), LONGEST_POLL_MS);
  }

  async #request(method: string, params: Record<string, unknown>, signal?: AbortSignal) {
    const session = this.#deps.session();
    if (!session) throw new Error('The server is not connected.');
    return session.raw.request(method, { taskId: this.#handle.id, ...params }, { signal });
  }

  async #ended(): Promise<HostError> {
    const { signal } = this.#options;
    if (isQuit(signal)) return new HostError('call.left', 'Parley was closed; the task goes on.');
    if (signal.aborted) {
      await this.#cancel();
      return new HostError('call.cancelled', 'The call was stopped.');
    }
    return new HostError('server.gone', `The server “${this.#deps.server.name}” was removed or changed.`);
  }

  async #giveUp(error: unknown): Promise<HostError> {
    await this.#cancel();
    return new HostError('task.unanswered', `The task could not be answered: ${messageOf(error)}`);
  }

  /** Best effort: whether and when the server stops is its own decision. */
  async #cancel(): Promise<void> {
    try {
      await this.#request('tasks/cancel', {}, AbortSignal.timeout(CANCEL_MS));
    } catch (error) {
      this.#deps.log.note(`The server could not be told to stop its task: ${messageOf(error)}`);
    }
  }
}

/** The task is not there, or nothing is known of tasks. Every other error may be a passing one. */
const UNKNOWN: readonly number[] = [ProtocolErrorCode.InvalidParams, ProtocolErrorCode.MethodNotFound];

function asResult(result: unknown): ToolResult {
  const parsed = ToolResult.safeParse(result);
  if (!parsed.success) throw new HostError('call.malformed', 'The result of the task was malformed.');
  const { content, structuredContent, isError } = parsed.data;
  return {
    content: unwrapContent(content),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
  };
}

/** Resolves after that time, or at once when the signal fires. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
