import { expect, it, vi } from 'vitest';
import { reaches, startManager } from '../../e2e/support/manager.ts';
import { startRawHttp } from '../../e2e/support/rawHttp.ts';

const never = new AbortController().signal;

it('a call that hangs in a forgotten session lives on beside the new one, and does not hold up the end', async () => {
  let isForgotten = false;
  const { url, count } = await startRawHttp((message, response) => {
    if (message.method === 'initialize') isForgotten = false;
    if (message.method !== 'tools/call') return false;
    if (message.params?.arguments && 'hang' in (message.params.arguments as object)) return true;
    return isForgotten ? Boolean(response.writeHead(404).end()) : false;
  });
  const { manager, close } = await startManager({ redeployed: { url } });
  await reaches(manager, 'redeployed', 'ready');
  const connection = manager.connection('redeployed');
  let hasEnded = false;
  const hanging = connection?.callTool('echo', { hang: true }, { signal: never }).finally(() => {
    hasEnded = true;
  });
  const ended = expect(hanging).rejects.toMatchObject({ code: 'server.gone' });
  await vi.waitFor(() => expect(count('tools/call')).toBe(1));
  isForgotten = true;
  const result = await connection?.callTool('echo', {}, { signal: never });
  expect(result?.content).toEqual([{ type: 'text', text: 'ok' }]);
  expect(count('initialize')).toBe(2);
  expect(hasEnded).toBe(false);
  await close();
  await ended;
});
