import { describe, expect, it } from 'vitest';
import { promptParts } from './promptParts.ts';

describe('the messages of a prompt', () => {
  it('become words and attachments; a link is only named', async () => {
    const parts = await promptParts('notes', [
      { role: 'user', content: { type: 'text', text: 'Sum this up:' } },
      { role: 'user', content: { type: 'resource', resource: { uri: 'note://1', text: 'milk' } } },
      { role: 'user', content: { type: 'resource_link', uri: 'note://2', name: 'second' } },
    ]);
    expect(parts.text).toBe('Sum this up:\n\nsecond (note://2)');
    expect(parts.attachments).toMatchObject([{ text: 'milk', from: { server: 'notes', uri: 'note://1' } }]);
  });

  it('say who speaks where the model does too', async () => {
    const text = (role: 'user' | 'assistant', words: string) => ({
      role,
      content: { type: 'text', text: words },
    });
    const parts = await promptParts('notes', [text('user', 'Hi'), text('assistant', 'Hello')]);
    expect(parts.text).toBe('User: Hi\n\nAssistant: Hello');
  });
});
