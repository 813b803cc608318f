import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { ToolResult } from '../../shared/chat.ts';
import type { JsonObject } from '../../shared/tools.ts';
import { structuredIn } from './carried.ts';
import { unwrapContent } from './content.ts';
import { createLegacyTask } from './legacyTask.ts';
import type { Operation } from './operation.ts';
import { mismatch } from './schemaCheck.ts';
import type { ServerLog } from './serverLog.ts';
import { type Task, taskIn } from './taskShapes.ts';
import type { CallOptions, ListedTool } from './types.ts';

/** The server has changed a tool's headers (2026-07-28, transports/streamable-http). */
const HEADER_MISMATCH = -32020;

interface ToolCall {
  name: string;
  listed: ListedTool | undefined;
  args: JsonObject;
  options: CallOptions;
  /** Reads the lists again. The tool as it is listed now. */
  relist(name: string): Promise<ListedTool | undefined>;
}

/**
 * The call of a tool; the server may answer with a task that it goes on with. Other headers than its definition said
 * make the server refuse it; the list is read again then.
 */
export function toolCall({
  name,
  listed,
  args,
  options,
  relist,
}: ToolCall): Operation<ToolResult | { task: Task }> {
  let definition = listed;
  return {
    what: name,
    options,
    async send({ client, raw }, request, meta) {
      if (definition?.needsTask && client.getProtocolEra() === 'legacy')
        return { task: await createLegacyTask(raw, { name, arguments: args, ...meta }, request.signal) };
      const inputSchema = definition && { ...definition.inputSchema, type: 'object' as const };
      const result = await client.callTool(
        { name, arguments: args, ...meta },
        // Without the output schema: it is the server's promise about itself, and breaking it must not cost the result.
        { ...request, ...(inputSchema ? { toolDefinition: { name, inputSchema } } : {}) },
      );
      const task = client.getProtocolEra() === 'modern' ? taskIn(result) : undefined;
      if (task) return { task };
      // Some servers wrap the result; the SDK would make an empty one of it.
      if ('toolResult' in result)
        throw new SdkError(SdkErrorCode.InvalidResult, 'The result is wrapped in "toolResult".');
      const structuredContent = structuredIn(result);
      return {
        content: unwrapContent(result.content),
        ...(structuredContent === undefined ? {} : { structuredContent }),
        ...(result.isError === undefined ? {} : { isError: result.isError }),
      };
    },
    async mend(error) {
      if (!(error instanceof ProtocolError) || error.code !== HEADER_MISMATCH) return false;
      definition = await relist(name);
      return true;
    },
  };
}

/** Tells where a result is not as the tool's output schema promises; it is used as it is. */
export function noteBrokenPromise(
  listed: ListedTool | undefined,
  result: ToolResult,
  { log, note }: { log: ServerLog; note(text: string): void },
): void {
  if (!listed?.outputSchema || result.isError) return;
  const problem =
    result.structuredContent === undefined
      ? 'there is no structured content'
      : mismatch(listed.outputSchema, result.structuredContent);
  if (!problem) return;
  note(`The results of “${listed.name}” are not as its output schema says; they are used as they are.`);
  log.note(`The result of “${listed.name}” is not as its output schema says: ${problem}`);
}
