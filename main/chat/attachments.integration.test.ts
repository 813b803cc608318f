import { describe, expect, it, onTestFinished } from 'vitest';
import { startMessagesEndpoint, text } from '../../e2e/support/messagesEndpoint.ts';
import { startTurns, startWithEndpoint } from '../../e2e/support/turns.ts';
import type { Attachment } from '../../shared/attachments.ts';

const gif: Attachment = {
  type: 'image',
  name: 'dot.gif',
  mimeType: 'image/gif',
  data: 'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==',
};
const pdf: Attachment = {
  type: 'document',
  name: 'paper.pdf',
  mimeType: 'application/pdf',
  data: Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64'),
};
const note: Attachment = {
  type: 'attachment',
  name: 'note.txt',
  mimeType: 'text/plain',
  text: 'buy milk',
  from: { server: 'notes', uri: 'note://1' },
};

describe('what is attached to a message', () => {
  it('goes to the model as image, document and text, before the words and with its source', async () => {
    const { endpoint, turns, conversation, idle, messages } = await startWithEndpoint();
    endpoint.script.push({ blocks: [text('Seen.')] });
    await turns.send(conversation.id, 'what is this?', [gif, pdf, note]);
    await idle();
    expect(endpoint.requests[0]?.violation).toBeUndefined();
    const content = endpoint.requests[0]?.body.messages[0]?.content;
    expect(content).toMatchObject([
      { type: 'text', text: '(attached by the person: “dot.gif”, image/gif)' },
      { type: 'image', source: { type: 'base64', media_type: 'image/gif' } },
      { type: 'text' },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf' } },
      { text: expect.stringMatching(/“note\.txt”.*resource note:\/\/1 of the server “notes”\)\nbuy milk$/) },
      { type: 'text', text: 'what is this?' },
    ]);
    expect(messages()[0]?.blocks.map(({ type }) => type)).toEqual([
      'image',
      'document',
      'attachment',
      'text',
    ]);
  });

  it('may come without a word, and then names the conversation', async () => {
    const { endpoint, turns, conversation, conversations, idle } = await startWithEndpoint();
    endpoint.script.push({ blocks: [text('Seen.')] });
    await turns.send(conversation.id, '', [gif]);
    await idle();
    expect(endpoint.requests[0]?.violation).toBeUndefined();
    expect(conversations.get(conversation.id).title).toBe('dot.gif');
  });

  it('is described where it is not what it says it is', async () => {
    const { endpoint, turns, conversation, idle } = await startWithEndpoint();
    endpoint.script.push({ blocks: [text('Hm.')] });
    await turns.send(conversation.id, 'look', [
      { ...gif, data: 'bm90IGFuIGltYWdl' },
      { ...pdf, data: 'bm90IGEgcGRm' },
    ]);
    await idle();
    expect(endpoint.requests[0]?.violation).toBeUndefined();
    expect(JSON.stringify(endpoint.requests[0]?.body.messages)).toMatch(
      /cannot be given it: “dot\.gif”, image\/gif, 12 bytes.*cannot be given it: “paper\.pdf”/,
    );
  });

  it('is described to an endpoint that refuses documents or pictures, then and later', async () => {
    const { endpoint, turns, conversation, idle, messages, say } = await startWithEndpoint();
    const refusal = (message: string) => ({ status: 400, type: 'invalid_request_error', message });
    endpoint.script.push(
      refusal('messages.0.content.3: PDF input is not supported'),
      refusal('messages.0.content.1: image input is not supported'),
      { blocks: [text('I read the rest.')] },
      { blocks: [text('Still here.')] },
    );
    await turns.send(conversation.id, 'look', [gif, pdf]);
    await idle();
    expect(
      messages()
        .at(-1)
        ?.blocks.map(block => (block.type === 'notice' ? block.code : block.type)),
    ).toEqual(['documents.leftOut', 'images.leftOut', 'text']);
    await say('and now?');
    const last = JSON.stringify(endpoint.requests.at(-1)?.body.messages);
    expect(endpoint.requests).toHaveLength(4);
    expect(last).toMatch(/cannot be given it: “dot\.gif”.*cannot be given it: “paper\.pdf”/);
  });

  it('is not even tried with a model that says it takes none', async () => {
    const abilities = { 'claude-opus-5-5': { images: false, documents: false } };
    const endpoint = await startMessagesEndpoint({ abilities });
    onTestFinished(() => endpoint.close());
    const { turns, conversation, idle } = await startTurns({}, { endpoint: { baseUrl: endpoint.url } });
    endpoint.script.push({ blocks: [text('I am blind.')] });
    await turns.send(conversation.id, 'look', [gif, pdf]);
    await idle();
    expect(endpoint.requests.map(({ violation }) => violation)).toEqual([undefined]);
  });

  it('is not read by the Guide, which says so', async () => {
    const { turns, conversation, idle, messages } = await startTurns({});
    await turns.send(conversation.id, 'help', [gif]);
    await idle();
    expect(messages().at(-1)?.blocks).toMatchObject([
      { text: expect.stringContaining('cannot read what you attached') },
      { text: expect.stringContaining('Here is what I can do') },
    ]);
  });
});
