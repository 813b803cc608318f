import type { ServerContext } from '@modelcontextprotocol/server';

/** Tells the caller how far its request is; says nothing to a caller that did not ask to hear. */
export async function reportProgress(
  { _meta, notify }: ServerContext['mcpReq'],
  progress: { progress: number; total: number; message: string },
): Promise<void> {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return;
  await notify({ method: 'notifications/progress', params: { progressToken, ...progress } });
}
