import { describe, expect, it } from 'vitest';
import { countWords, protocolWords, stateWords } from './words.ts';

describe('words about a server', () => {
  it('count what it offers', () => {
    expect(countWords({ tools: 2, prompts: 1, resources: 0 })).toBe('2 tools · 1 prompt');
    expect(countWords({ tools: 0, prompts: 0, resources: 0 })).toBe('offers nothing yet');
  });

  it('do not call broken what only wants a sign-in', () => {
    const error = { message: 'Sign in.', hint: '' };
    expect(stateWords({ state: 'failed', error: { ...error, code: 'server.exited' } })).toBe('Failed');
    expect(stateWords({ state: 'failed', error: { ...error, code: 'auth.required' } })).toBe(
      'Sign-in needed',
    );
  });

  it('name the protocol once it is known', () => {
    expect(protocolWords({})).toBeUndefined();
    expect(protocolWords({ era: 'modern', protocolVersion: '2026-07-28' })).toBe('MCP 2026-07-28');
    expect(protocolWords({ era: 'legacy', protocolVersion: '2025-06-18' })).toBe(
      'MCP 2025-06-18 (older protocol)',
    );
  });
});
