import type { ToolCallBlock, ToolResult } from '../../shared/chat.ts';
import { type ErrorInfo, HostError, toErrorInfo } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { Asks } from '../consent/asks.ts';
import type { Policy } from '../consent/policy.ts';
import type { ClientManager } from '../servers/clientManager.ts';
import type { RegisteredTool, Registry } from './registry.ts';

export interface RunnerDeps {
  registry: Registry;
  policy: Policy;
  asks: Asks;
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
  const { args } = decoded;
  call.onUpdate({ args });

  const consent = await obtainConsent(deps, call, args);
  if (consent) return { ...consent, args };
  if (signal.aborted) return { ...cancelled(), args };

  call.onUpdate({ status: 'running', startedAt: Date.now() });
  const connection = deps.manager.connection(tool.info.server);
  if (!connection)
    return { ...refused('server.offline', `The server “${tool.info.server}” is not there any more.`), args };
  try {
    const result = await connection.callTool(tool.info.name, args, {
      signal,
      ...(call.conversationId === undefined ? {} : { conversationId: call.conversationId }),
      onProgress: progress => call.onUpdate({ progress }),
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

/** Undefined when the call may run. */
async function obtainConsent(
  deps: RunnerDeps,
  call: ToolCall,
  args: JsonObject,
): Promise<ToolOutcome | undefined> {
  const { info, identity } = call.tool;
  const { rule, changed } = deps.policy.decide(identity);
  if (rule === 'deny') return denied(`A rule of the person forbids “${info.name}”.`);
  if (rule === 'allow' || call.approved) return undefined;
  call.onUpdate({ status: 'waiting' });
  const { action } = await deps.asks.ask(
    {
      kind: 'approval',
      server: info.server,
      tool: info.name,
      callId: call.callId,
      args,
      ...(call.conversationId === undefined ? {} : { conversationId: call.conversationId }),
      ...(info.title ? { title: info.title } : {}),
      ...(info.description ? { description: info.description } : {}),
      ...(info.annotations ? { annotations: info.annotations } : {}),
      ...(changed ? { changed } : {}),
    },
    call.signal,
  );
  if (action === 'stop') return { ...cancelled(), stopTurn: true };
  if (action === 'deny') return denied('The person declined this call.');
  if (action === 'allowAlways') deps.registry.setRule(info.server, info.name, 'allow');
  return undefined;
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
