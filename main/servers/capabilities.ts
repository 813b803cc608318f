import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { TASKS_EXTENSION } from './taskShapes.ts';

/**
 * What Parley can do for a server. Roots are declared also where no folder is picked: the truth is an empty list then,
 * and the first folder reaches a running server.
 */
export const CAPABILITIES: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
  sampling: { tools: {} },
  extensions: { [TASKS_EXTENSION]: {} },
};
