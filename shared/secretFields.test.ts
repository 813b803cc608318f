import { describe, expect, it } from 'vitest';
import { parseFields } from './elicitationSchema.ts';
import { asksForSecret } from './secretFields.ts';

describe('questions for secrets', () => {
  it.each<[string, object, boolean]>([
    ['it', { type: 'string', title: 'Your password' }, true],
    ['it', { type: 'string', description: 'The API key of the service' }, true],
    ['it', { type: 'string', title: 'Access_Token' }, true],
    ['accessToken2', { type: 'string' }, true],
    ['APIKey', { type: 'string' }, true],
    ['private-key', { type: 'string' }, true],
    ['it', { type: 'string', title: 'Pass\u200bword' }, true],
    ['it', { type: 'string', title: 'Ｐａｓｓｗｏｒｄ' }, true],
    ['it', { type: 'string', title: 'Contraseña' }, true],
    ['it', { type: 'string', title: 'Card number' }, true],
    ['it', { type: 'string', format: 'password', title: 'Magic word' }, true],
    ['cvv', { type: 'string' }, true],
    ['pin', { type: 'integer' }, true],
    ['it', { type: 'integer', title: 'Credit card number' }, true],
    ['it', { type: 'number', title: 'One-time code' }, true],
    ['it', { type: 'integer', title: 'Most tokens' }, false],
    ['maxTokens', { type: 'integer' }, false],
    ['it', { type: 'integer', title: 'Favourite', description: 'Not your pin, please' }, false],
    ['it', { type: 'string', title: 'Pinned note' }, false],
    ['it', { type: 'string', title: 'Keyboard layout' }, false],
    ['it', { type: 'string', title: 'Spinach' }, false],
    ['it', { type: 'boolean', title: 'Remember the password' }, false],
  ])('%s: %j: %s', (name, property, secret) => {
    const [field] = parseFields({ properties: { [name]: property } });
    expect(field && asksForSecret(field)).toBe(secret);
  });
});
