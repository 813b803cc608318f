import { expect, it } from 'vitest';
import type { Block, Message } from '../../shared/chat.ts';
import { findMessages } from './findMessages.ts';

const message = (id: string, ...blocks: Block[]): Message => ({
  id,
  conversationId: 'c',
  role: 'user',
  blocks,
  createdAt: 0,
  status: 'complete',
});

it('finds the messages with a text, whatever its case, in their order', () => {
  const messages = [
    message('a', { type: 'text', text: 'Rye bread' }),
    message('b', { type: 'thinking', text: 'bread' }),
    message('c', { type: 'text', text: 'No.' }, { type: 'text', text: 'More BREAD.' }),
  ];
  expect(findMessages(messages, ' Bread ')).toEqual(['a', 'c']);
  expect(findMessages(messages, '(')).toEqual([]);
  expect(findMessages(messages, ' ')).toEqual([]);
});
