import { z } from 'zod';
import type { TaskHandle } from '../../shared/chat.ts';
import { JsonObject } from '../../shared/tools.ts';
import { unwrapItem } from './carried.ts';

/** The tasks extension, as it is declared by both sides. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const common = {
  taskId: z.string().min(1),
  statusMessage: z.string().optional(),
  createdAt: z.string(),
  ttlMs: z.number().nullish(),
  pollIntervalMs: z.number().optional(),
};

/** A task as `tools/call` and `tasks/get` tell of it; what else is in it is left out. */
export const Task = z.discriminatedUnion('status', [
  z.object({ ...common, status: z.literal('working') }),
  z.object({
    ...common,
    status: z.literal('input_required'),
    inputRequests: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ ...common, status: z.literal('completed'), result: JsonObject.optional() }),
  z.object({
    ...common,
    status: z.literal('failed'),
    error: z.object({ code: z.number(), message: z.string() }).optional(),
  }),
  z.object({ ...common, status: z.literal('cancelled') }),
]);
export type Task = z.infer<typeof Task>;

/** The task that a result stands for, if it does. */
export function taskIn(result: unknown): Task | undefined {
  return Task.safeParse(unwrapItem(result)).data;
}

/** What is shown of a task, and all that is needed to ask for it again. */
export function handleOf({
  taskId,
  createdAt,
  ttlMs,
  pollIntervalMs,
  statusMessage,
  status,
}: Task): TaskHandle {
  return {
    id: taskId,
    createdAt,
    ttlMs: ttlMs ?? null,
    ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
    ...(statusMessage === undefined ? {} : { message: statusMessage }),
    waiting: status === 'input_required',
  };
}
