// A modern server with resources and prompts for every case: counted reads, kept answers, questions before an answer,
// changes that are told, log messages. Started by itself it speaks over stdio; over HTTP a test serves `createLibrary`.
import { inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** The smallest picture there is. */
const pixel = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** What outlives one instance. */
export function createShelf() {
  /** @type {Record<string, number>} */
  const reads = {};
  return { reads, extra: false };
}

const question = (/** @type {string} */ message) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { it: { type: 'string' } }, required: ['it'] },
  });

/** Asks for two things at once and then for a third, with a state that must come back as it went. */
function interview(/** @type {import('@modelcontextprotocol/server').ServerContext['mcpReq']} */ request) {
  const state = request.requestState();
  const answers = JSON.stringify(request.inputResponses ?? {});
  if (state === undefined)
    return inputRequired({
      inputRequests: { pin: question('Your pin?'), name: question('Your name?') },
      requestState: 'first "ünïcode" \\ state==',
    });
  if (state === 'first "ünïcode" \\ state==')
    return inputRequired({
      inputRequests: { last: question('Anything else?') },
      requestState: `second ${answers}`,
    });
  return `${state} third ${answers}`;
}

/** @param {ReturnType<typeof createShelf>} shelf */
export function createLibrary(shelf) {
  const server = new McpServer(
    { name: 'library', version: '1.0.0', icons: [{ src: `data:image/gif;base64,${pixel}` }] },
    {
      capabilities: { resources: { subscribe: true, listChanged: true }, logging: {} },
      cacheHints: { 'resources/list': { ttlMs: 0 } },
    },
  );
  const counted = (/** @type {string} */ name, /** @type {number} */ ttlMs) =>
    server.registerResource(name, `lib://${name}`, { cacheHint: { ttlMs } }, uri => {
      shelf.reads[name] = (shelf.reads[name] ?? 0) + 1;
      return { contents: [{ uri: uri.href, text: `read ${shelf.reads[name]}` }] };
    });
  counted('kept', 3_600_000);
  counted('brief', 50);
  counted('fresh', 0);
  server.registerResource(
    'locked',
    'lib://locked',
    { cacheHint: { ttlMs: 3_600_000 } },
    (uri, { mcpReq }) => {
      const result = interview(mcpReq);
      return typeof result === 'string' ? { contents: [{ uri: uri.href, text: result }] } : result;
    },
  );
  server.registerResource('endless', 'lib://endless', {}, () =>
    inputRequired({ inputRequests: { more: question('And?') } }),
  );
  server.registerResource('picture', 'lib://picture', { mimeType: 'image/gif' }, uri => ({
    contents: [
      {
        uri: uri.href,
        mimeType: 'image/gif',
        blob: pixel,
      },
    ],
  }));
  server.registerResource('chatty', 'lib://chatty', {}, async (uri, { mcpReq }) => {
    await mcpReq.log('debug', 'a detail');
    await mcpReq.log('warning', { low: 'ink' }, 'printer');
    return { contents: [{ uri: uri.href, text: 'said' }] };
  });
  server.registerResource(
    'page',
    new ResourceTemplate('lib://pages/{book}{?number}', {
      list: undefined,
      complete: {
        book: start =>
          Array.from({ length: 150 }, (_, n) => `book${n}`).filter(name => name.startsWith(start)),
        number: (_start, context) => [`${context?.arguments?.book}-1`],
      },
    }),
    {},
    (uri, { book, number }) => ({ contents: [{ uri: uri.href, text: `${book} ${number ?? 'whole'}` }] }),
  );
  server.registerPrompt('interview', { argsSchema: z.object({}) }, (_args, { mcpReq }) => {
    const result = interview(mcpReq);
    return typeof result === 'string'
      ? { messages: [{ role: 'user', content: { type: 'text', text: result } }] }
      : result;
  });
  server.registerTool('touch', { inputSchema: z.object({ uri: z.string() }) }, async ({ uri }) => {
    await server.server.sendResourceUpdated({ uri });
    return { content: [] };
  });
  if (shelf.extra) server.registerPrompt('extra', {}, () => ({ messages: [] }));
  return server;
}

if (process.argv[1] === import.meta.filename) {
  const shelf = createShelf();
  serveStdio(() => createLibrary(shelf));
}
