import { describe, expect, it } from 'vitest';
import { isLookAlike } from './lookAlike.ts';

describe('names of sites beside the one that is trusted', () => {
  it.each([
    ['example.com', 'mcp.example.com', false],
    ['login.example.com', 'example.com', false],
    ['shop.co.uk', 'mcp.shop.co.uk', false],
    ['accounts.google.com', 'mcp.example.com', false],
    ['github.com', 'mcp.notion.com', false],
    ['examp1e.com', 'mcp.example.com', true],
    ['exarnple.com', 'example.com', true],
    ['examplle.com', 'example.com', true],
    ['example.com.evil.test', 'mcp.example.com', true],
    ['example-login.test', 'example.com', true],
    ['example.org', 'example.com', true],
    ['other.co.uk', 'shop.co.uk', false],
    ['x.com', 'a.com', false],
    ['127.0.0.1', 'example.com', false],
    ['localhost', 'example.com', false],
  ])('%s beside %s: %s', (host, trusted, alike) => {
    expect(isLookAlike(host, trusted)).toBe(alike);
  });
});
