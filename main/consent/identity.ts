import { createHash } from 'node:crypto';
import { canonicalJson } from '../../shared/canonicalJson.ts';
import type { ToolDefinition } from '../../shared/rules.ts';
import type { JsonObject, ToolAnnotations } from '../../shared/tools.ts';

/** What a rule is bound to: a tool's identity, and what it claims to be and do. */
export interface ToolIdentity {
  server: string;
  /** The server's own name for the tool. */
  tool: string;
  description?: string | undefined;
  inputSchema: JsonObject;
  annotations?: ToolAnnotations | undefined;
}

/** The part of an identity that a server can change under a name. */
export function definitionOf({ description, inputSchema, annotations }: ToolIdentity): ToolDefinition {
  return {
    ...(description === undefined ? {} : { description }),
    inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
  };
}

const fingerprints = new WeakMap<ToolIdentity, string>();

/** The same for the same definition, in whatever order its keys come. Identities are never changed, only replaced. */
export function fingerprint(tool: ToolIdentity): string {
  const known = fingerprints.get(tool);
  if (known !== undefined) return known;
  const { description, inputSchema, annotations } = tool;
  const made = createHash('sha256')
    .update(canonicalJson({ description, inputSchema, annotations }))
    .digest('hex');
  fingerprints.set(tool, made);
  return made;
}

export function toolKey({ server, tool }: Pick<ToolIdentity, 'server' | 'tool'>): string {
  return JSON.stringify([server, tool]);
}
