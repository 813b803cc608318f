import { describe, expect, it } from 'vitest';
import { countWords, protocolWords } from './words.ts';

describe('words about a server', () => {
  it('count what it offers', () => {
    expect(countWords({ tools: 2, prompts: 1, resources: 0 })).toBe('2 tools · 1 prompt');
    expect(countWords({ tools: 0, prompts: 0, resources: 0 })).toBe('offers nothing yet');
  });

  it('name the protocol once it is known', () => {
    expect(protocolWords({})).toBeUndefined();
    expect(protocolWords({ era: 'modern', protocolVersion: '2026-07-28' })).toBe('MCP 2026-07-28');
    expect(protocolWords({ era: 'legacy', protocolVersion: '2025-06-18' })).toBe(
      'MCP 2025-06-18 (older protocol)',
    );
  });
});
