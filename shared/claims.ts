import type { ToolAnnotations } from './tools.ts';

/** A server's claims about its tool, in words; only what it says, not what the protocol would assume. */
export function claimsOf(annotations: ToolAnnotations | undefined): string[] {
  if (!annotations) return [];
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  // The specification gives the others no meaning for a tool that only reads.
  const changes = readOnlyHint !== true;
  return [
    ...(readOnlyHint === true ? ['read-only'] : []),
    ...(readOnlyHint === false ? ['changes things'] : []),
    ...(changes && destructiveHint === true ? ['may destroy or overwrite'] : []),
    ...(changes && destructiveHint === false ? ['only adds'] : []),
    ...(changes && idempotentHint === true ? ['repeating it changes nothing more'] : []),
    ...(openWorldHint === true ? ['reaches outside systems'] : []),
    ...(openWorldHint === false ? ['stays within its own data'] : []),
  ];
}
