import type { ServerResponse } from 'node:http';
import { vi } from 'vitest';
import type { JsonObject } from '../../shared/tools.ts';
import { reaches, startManager } from './manager.ts';
import { legacyResult, startRawHttp } from './rawHttp.ts';

/**
 * A manager with a legacy server `scripted` that says during a call of its tool `echo` what the test wants it to say.
 * Ends with the test.
 */
export async function startScriptedCall() {
  let stream: ServerResponse | undefined;
  let finishing = '';
  const answers = new Map<unknown, JsonObject>();
  const { url } = await startRawHttp((message, response) => {
    if (message.method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      finishing = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: legacyResult(message) });
      stream = response;
      return true;
    }
    if (message.method === undefined && message.id !== undefined) {
      answers.set(message.id, message as JsonObject);
      response.writeHead(202).end();
      return true;
    }
    return false;
  });
  const started = await startManager({ scripted: { url } });
  await reaches(started.manager, 'scripted', 'ready');
  return {
    ...started,
    call: () =>
      started.manager
        .connection('scripted')
        ?.callTool('echo', {}, { signal: new AbortController().signal, conversationId: 'c' }),
    /** Sends a message to Parley, once the call has arrived. */
    async send(message: JsonObject): Promise<void> {
      await vi.waitFor(() => stream ?? Promise.reject(new Error('no call yet')), 10_000);
      stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    },
    /** What Parley answered to a request of the server: the result, or the error. */
    answer: (id: string) =>
      vi.waitFor(() => {
        const answer = answers.get(id);
        if (!answer) throw new Error(`${id} is not answered yet`);
        return answer.result ?? answer.error;
      }, 10_000),
    /** Ends the call. */
    finish: () => stream?.end(`data: ${finishing}\n\n`),
  };
}
