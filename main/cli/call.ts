/** The command `call`: one tool call, typed by the person. */
import { randomUUID } from 'node:crypto';
import type { ToolCallBlock } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { Host } from '../host.ts';
import type { RegisteredTool } from '../tools/registry.ts';
import { toModelContent } from '../tools/result.ts';
import { runTool } from '../tools/runner.ts';
import type { ApproveFlag } from './asking.ts';
import { parseJsonObject } from './givenAnswer.ts';
import { readyServer } from './server.ts';
import type { Session } from './session.ts';
import { showCall, showContent } from './show.ts';

export interface CallOptions {
  server: string;
  tool: string;
  /** The arguments as they were typed. */
  json: string;
  approve: ApproveFlag | undefined;
}

/** Calls a tool and prints its result. Typing the call is approving it, unless `--approve` says otherwise. */
export async function callTool(
  session: Session,
  { server, tool: name, json, approve }: CallOptions,
): Promise<number> {
  const input = parseArguments(json);
  const { host, output, signal } = session;
  await readyServer(session, server);
  const tool = findTool(host, server, name);

  const callId = randomUUID();
  let call: ToolCallBlock = {
    type: 'toolCall',
    id: callId,
    modelName: tool.info.modelName,
    server,
    tool: name,
    input,
    status: 'pending',
  };
  const { registry, policy, grants, asks, audit, manager } = host;
  const outcome = await runTool(
    { registry, policy, grants, asks, audit, manager },
    {
      tool,
      input,
      callId,
      approved: approve === undefined || approve === 'all',
      signal,
      onUpdate(patch) {
        call = { ...call, ...patch };
        output.event('call.changed', call);
        const line = call.status === 'running' ? showCall(call) : undefined;
        if (line !== undefined) output.activity(line);
      },
    },
  );

  const { status, result, error, args } = outcome;
  const modelContent = result ? toModelContent(result) : [];
  if (error) output.error(error);
  const shown = { server, tool: name, args: args ?? null, status, modelContent, result: result ?? null };
  output.result({ ...shown, error: error ?? null }, showContent(modelContent));
  return status === 'done' && result?.isError !== true && session.unanswered() === 0 ? 0 : 1;
}

function parseArguments(json: string): JsonObject {
  const input = parseJsonObject(json);
  if (input) return input;
  throw new HostError(
    'cli.arguments',
    'The arguments are no JSON object.',
    `For example: parley call sample add '{"a":19,"b":23}'`,
  );
}

function findTool(host: Host, server: string, name: string): RegisteredTool {
  const tool = host.registry.find(server, name);
  if (tool) return tool;
  const names = host.registry.list().flatMap(info => (info.server === server ? info.name : []));
  throw new HostError(
    'cli.tool',
    `The server “${server}” has no tool “${name}”.`,
    `It has: ${names.join(', ')}`,
  );
}
