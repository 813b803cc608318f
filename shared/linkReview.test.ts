import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reviewLink } from './linkReview.ts';

describe('the review of an address', () => {
  it.each([
    ['https://example.com/a?b=c#d', ['https://', 'example.com', '/a?b=c#d'], []],
    ['https://example.com:8443/', ['https://', 'example.com', ':8443/'], []],
    ['http://localhost:3000/x', ['http://', 'localhost', ':3000/x'], ['program on this computer']],
    ['http://127.1/x', ['http://', '127.0.0.1', '/x'], ['program on this computer']],
    ['http://example.com/', ['http://', 'example.com', '/'], ['not encrypted']],
    ['https://bank.com@evil.test/', ['https://bank.com@', 'evil.test', '/'], ['before the @']],
    ['https://evil.test:p@evil.test/', ['https://evil.test:p@', 'evil.test', '/'], ['before the @']],
    ['https://good.test\\@evil.test/', ['https://', 'good.test', '/@evil.test/'], []],
    ['https://аpple.com/', ['https://', 'xn--pple-43d.com', '/'], ['special letters']],
    ['https://10.0.0.7/', ['https://', '10.0.0.7', '/'], ['number instead of a name']],
    ['https://[fe80::1]/', ['https://', '[fe80::1]', '/'], ['number instead of a name']],
  ])('%s', (address, pieces, warnings) => {
    const review = reviewLink(address);
    expect([review.before, review.host, review.after]).toEqual(pieces);
    expect(review.blocked).toBeUndefined();
    expect(review.warnings).toHaveLength(warnings.length);
    warnings.forEach((words, index) => {
      expect(review.warnings[index]).toContain(words);
    });
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'example.com', '', 'https://'])(
    '%j cannot be opened',
    address => {
      expect(reviewLink(address).blocked).toBeDefined();
    },
  );

  it('warns of a site that looks like the server itself, and of a very long address', () => {
    const { warnings } = reviewLink(`https://examp1e.com/${'a'.repeat(1000)}`, 'mcp.example.com');
    expect(warnings).toEqual([
      expect.stringMatching(/looks like the server's own, mcp\.example\.com/),
      expect.stringContaining('1,020 characters'),
    ]);
    expect(reviewLink('https://example.com/', 'mcp.example.com').warnings).toEqual([]);
  });

  it('shows exactly the address that the browser would open', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ authoritySettings: { withPort: true, withUserInfo: true }, withFragments: true }),
        address => {
          const { before, host, after } = reviewLink(address);
          expect(before + host + after).toBe(new URL(address).href);
          expect(host).toBe(new URL(address).hostname);
        },
      ),
    );
  });
});
