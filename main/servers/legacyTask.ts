import { ProtocolError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { HostError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { RawRequests } from './rawRequests.ts';
import type { Task } from './taskShapes.ts';

/**
 * Tasks of revision 2025-11-25, as far as some tools cannot be called without one. The client asks for the task, its
 * result is fetched by a request of its own, and that one is also what makes the server send its questions.
 * @see the tasks page of that revision
 */
export async function createLegacyTask(
  raw: RawRequests,
  call: { name: string; arguments: JsonObject },
  signal: AbortSignal | undefined,
): Promise<Task> {
  const { task } = await raw.request('tools/call', { ...call, task: {} }, { signal });
  return { ...understand(task).base, status: 'working' };
}

/** One of them, while it is waited for. */
export class LegacyTask {
  readonly #taskId: string;
  #result: Promise<JsonObject> | undefined;

  constructor(taskId: string) {
    this.#taskId = taskId;
  }

  /** As `tasks/get` of the extension would tell of it. */
  async look(raw: RawRequests): Promise<Task> {
    const { base, status } = understand(await raw.request('tasks/get', { taskId: this.#taskId }));
    if (status === 'working' || status === 'cancelled') return { ...base, status };
    const result = this.#fetch(raw);
    if (status === 'input_required') return { ...base, status };
    try {
      return { ...base, status: 'completed', result: await result };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return { ...base, status: 'failed', error: { code: error.code, message: error.message } };
    }
  }

  /** Answered when the task is over, however long that takes; one request at a time. */
  #fetch(raw: RawRequests): Promise<JsonObject> {
    this.#result ??= raw.request('tasks/result', { taskId: this.#taskId }, { patient: true });
    this.#result.catch((error: unknown) => {
      // Lost with its connection: the next look asks again.
      if (!(error instanceof ProtocolError)) this.#result = undefined;
    });
    return this.#result;
  }
}

const Shape = z.object({
  taskId: z.string().min(1),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional(),
  createdAt: z.string(),
  ttl: z.number().nullish(),
  pollInterval: z.number().optional(),
});

function understand(task: unknown) {
  const { data } = Shape.safeParse(task);
  if (!data)
    throw new HostError('task.malformed', 'The server said something about its task that is no task.');
  const { taskId, status, statusMessage, createdAt, ttl, pollInterval } = data;
  const base = { taskId, statusMessage, createdAt, ttlMs: ttl ?? null, pollIntervalMs: pollInterval };
  return { base, status };
}
