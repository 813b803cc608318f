import { describe, expect, it } from 'vitest';
import { disguisedHost, openableAddress } from './links.ts';

describe('links in answers', () => {
  it.each([
    ['https://example.org', 'https://example.org/'],
    ['mailto:x@y.z', 'mailto:x@y.z'],
    ['https://пример.рф', 'https://xn--e1afmkfd.xn--p1ai/'],
  ])('opens %s', (href, address) => {
    expect(openableAddress(href)).toBe(address);
  });

  it.each([
    'javascript:alert(1)',
    'jav\tascript:alert(1)',
    'file:///etc/passwd',
    'smb://h/s',
    'vscode://x/y',
    '/settings',
    '//evil.test',
    'data:text/html,<script>1</script>',
    'ms-msdt:/id',
    '',
    undefined,
  ])('leaves %s as text', href => {
    expect(openableAddress(href)).toBeUndefined();
  });

  it('tells the true host of a link that names another', () => {
    expect(disguisedHost('https://good.example', 'https://evil.example/')).toBe('evil.example');
    expect(disguisedHost('good.example/path', 'https://evil.example/')).toBe('evil.example');
    expect(disguisedHost('https://good.example/a', 'https://good.example/b')).toBeUndefined();
    expect(disguisedHost('good.example:8080/a', 'http://good.example:8080/a')).toBeUndefined();
    expect(disguisedHost('read this', 'https://evil.example/')).toBeUndefined();
    expect(disguisedHost('see https://good.example now', 'https://evil.example/')).toBe('evil.example');
    expect(disguisedHost('see www.good.example', 'https://evil.example/')).toBe('evil.example');
    expect(disguisedHost('https://good.example@evil.example/', 'https://evil.example/')).toBe('evil.example');
    expect(disguisedHost('10.0.0.1', 'https://10.0.0.2:8080/')).toBe('10.0.0.2');
  });

  it('raises no alarm where text and address are one site', () => {
    expect(disguisedHost('good.example', 'https://www.good.example/')).toBeUndefined();
    expect(disguisedHost('https://пример.рф', 'https://xn--e1afmkfd.xn--p1ai/')).toBeUndefined();
    expect(disguisedHost('x@y.example', 'mailto:x@y.example')).toBeUndefined();
  });
});
