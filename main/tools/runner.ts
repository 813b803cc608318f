import type { ToolCallBlock, ToolResult } from '../../shared/chat.ts';
import { type ErrorInfo, HostError, toErrorInfo } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { ClientManager } from '../servers/clientManager.ts';
import { type ApprovalDeps, obtainApproval } from './approval.ts';
import type { RegisteredTool } from './registry.ts';

export interface RunnerDeps extends ApprovalDeps {
  manager: ClientManager;
}

export interface ToolCall {
  tool: RegisteredTool;
  /** In the model's spelling. */
  input: JsonObject;
  callId: string;
  conversationId?: string;
  /** The person wrote this very call themselves: that is their approval. A `deny` rule still holds. */
  approved?: boolean;
  signal: AbortSignal;
  onUpdate(patch: Partial<ToolCallBlock>): void;
}

export interface ToolOutcome {
  /** running: Parley ends, and the server goes on with the call as a task. */
  status: 'done' | 'failed' | 'denied' | 'cancelled' | 'running';
  result?: ToolResult;
  /** Why there is no result. */
  error?: ErrorInfo;
  /** What was sent to the server, if anything was. */
  args?: JsonObject;
  /** The person answered the approval with Stop. */
  stopTurn?: boolean;
}

/**
 * The way of one call: arguments, policy, the person, the server. Whatever a server, a model or a person does ends as
 * an outcome, never as an exception.
 */
export async function runTool(deps: RunnerDeps, call: ToolCall): Promise<ToolOutcome> {
  const { tool, signal } = call;
  if (!tool.info.enabled) {
    return refused('tool.off', tool.info.unusable ?? `The tool “${tool.info.name}” is switched off.`);
  }
  const decoded = tool.decode(call.input);
  if ('error' in decoded) return refused('tool.arguments', decoded.error);
  call.onUpdate({ args: decoded.args });

  const approval = await obtainApproval(deps, call, decoded.args);
  if (approval.outcome === 'denied') return { ...denied(approval.why), args: decoded.args };
  if (approval.outcome === 'gone')
    return {
      ...refused('server.offline', `“${tool.info.name}” of “${tool.info.server}” is not there any more.`),
      args: decoded.args,
    };
  // Stop for this call alone lets the turn go on.
  if (signal.aborted) return { ...cancelled(), args: decoded.args };
  if (approval.outcome === 'stop') return { ...cancelled(), args: decoded.args, stopTurn: true };
  const args = approval.args ?? decoded.args;
  if (approval.args) call.onUpdate({ args, edited: true });

  call.onUpdate({ status: 'running', startedAt: Date.now() });
  const connection = deps.manager.connection(tool.info.server);
  if (!connection)
    return { ...refused('server.offline', `The server “${tool.info.server}” is not there any more.`), args };
  try {
    const result = await connection.callTool(tool.info.name, args, {
      signal,
      ...(call.conversationId === undefined ? {} : { conversationId: call.conversationId }),
      callId: call.callId,
      onProgress: progress => call.onUpdate({ progress: { ...progress, at: Date.now() } }),
      onTask: task => call.onUpdate({ task }),
    });
    return { status: result.isError ? 'failed' : 'done', result, args };
  } catch (error) {
    if (error instanceof HostError && error.code === 'call.left') return { status: 'running', args };
    if (signal.aborted) return { ...cancelled(), args };
    if (!(error instanceof HostError)) console.error(`Bug while calling ${tool.info.name}:`, error);
    return { status: 'failed', error: toErrorInfo(error), args };
  }
}

function refused(code: string, message: string): ToolOutcome {
  return { status: 'failed', error: { code, message } };
}

function denied(message: string): ToolOutcome {
  return { status: 'denied', error: { code: 'tool.denied', message } };
}

function cancelled(): ToolOutcome {
  return { status: 'cancelled', error: { code: 'call.cancelled', message: 'The person stopped this call.' } };
}
