import type { JsonObject, ToolAnnotations } from '../../shared/tools.ts';

/** A tool as its server listed it; odd but usable definitions are kept and explained in `problem`. */
export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: ToolAnnotations;
  /** What was wrong with the definition, for the server's page. */
  problem?: string;
}

export interface CallOptions {
  signal: AbortSignal;
  /** The conversation on whose behalf the tool runs: questions of the server are shown there. */
  conversationId?: string;
  onProgress?(progress: { progress: number; total?: number; message?: string }): void;
}
