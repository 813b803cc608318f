import type { Message, ToolCallBlock } from '../../shared/chat.ts';
import { type ConversationSettings, isOnHere } from '../../shared/conversationSettings.ts';
import { toErrorInfo } from '../../shared/errors.ts';
import type { Emit } from '../events.ts';
import { type RunnerDeps, runTool } from '../tools/runner.ts';
import { cutForModel, READ_RESULT } from './contextResult.ts';
import type { Conversations } from './conversations.ts';
import { FIND_TOOLS, findTools } from './findTools.ts';
import { readResult } from './readResult.ts';

export interface CallDeps extends RunnerDeps {
  conversations: Conversations;
  emit: Emit;
}

export interface CallTurn {
  conversationId: string;
  settings: ConversationSettings;
  signal: AbortSignal;
  /** How many characters the model is given of one result. */
  resultLimit: number;
  /** Hears of the tools that the model needs from now on: what it found, and what it called unseen. */
  onWanted(names: readonly string[]): void;
  stop(): void;
  /** What stops one call, by its id, while it runs. */
  calls: Map<string, AbortController>;
}

/** Runs all calls of one answer at the same time and stores how each ended; resolves when all have. */
export async function runCalls(deps: CallDeps, message: Message, turn: CallTurn): Promise<void> {
  await Promise.all(
    message.blocks.map((block, index) =>
      block.type === 'toolCall' ? runCall(deps, message, index, block, turn) : undefined,
    ),
  );
}

async function runCall(
  deps: CallDeps,
  message: Message,
  index: number,
  call: ToolCallBlock,
  { conversationId, settings, signal, resultLimit, onWanted, stop, calls }: CallTurn,
): Promise<void> {
  let block = call;
  const update = (patch: Partial<ToolCallBlock>, finished: boolean) => {
    block = { ...block, ...patch };
    deps.conversations.setBlock(message, index, block, { finished });
  };
  const onUpdate = (patch: Partial<ToolCallBlock>) => {
    const starts = patch.status === 'running' && block.startedAt === undefined;
    // Progress comes often and is of no use after a restart: only the status and the task go to disk.
    const matters = patch.status !== undefined || patch.task !== undefined;
    update({ ...(starts ? { startedAt: Date.now() } : {}), ...patch }, matters);
  };

  if (call.modelName === READ_RESULT) {
    const result = readResult(deps.conversations.messages(conversationId), call.input, resultLimit);
    return update({ status: result.isError ? 'failed' : 'done', result }, true);
  }
  if (call.modelName === FIND_TOOLS) {
    const available = deps.registry.available(settings).map(({ info }) => info);
    const { result, found } = findTools(available, call.input);
    onWanted(found);
    return update({ status: result.isError ? 'failed' : 'done', result }, true);
  }
  const tool = deps.registry.resolve(call.modelName);
  if (!tool) {
    const message = `There is no tool named “${call.modelName}” any more, or there never was.`;
    return update({ status: 'failed', error: { code: 'tool.unknown', message } }, true);
  }
  if (!isOnHere(settings, tool.info)) {
    const message = `The tool “${tool.info.name}” of “${tool.info.server}” is switched off in this conversation.`;
    return update({ status: 'failed', error: { code: 'tool.offHere', message } }, true);
  }
  // A model can know a name that it was not given. The arguments are checked in any case, and for the next try it has all.
  onWanted([call.modelName]);
  const own = new AbortController();
  calls.set(call.id, own);
  try {
    const outcome = await runTool(deps, {
      tool,
      input: call.input,
      callId: call.id,
      conversationId,
      signal: AbortSignal.any([signal, own.signal]),
      onUpdate,
    });
    if (outcome.stopTurn) stop();
    const { status, result, error, args } = outcome;
    if (status === 'running') return;
    update(
      {
        status,
        ...(result ? { result, ...cutForModel(result, resultLimit) } : {}),
        ...(error ? { error } : {}),
        ...(args ? { args } : {}),
        ...(block.startedAt === undefined ? {} : { durationMs: Date.now() - block.startedAt }),
      },
      true,
    );
  } catch (error) {
    // A fault of our own: the other calls and the turn still end in order.
    update({ status: 'failed', error: toErrorInfo(error) }, true);
  } finally {
    calls.delete(call.id);
  }
}
