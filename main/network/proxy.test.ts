import { expect, it } from 'vitest';
import { isLoopback, proxyFromEnvironment, proxyFromList } from './proxy.ts';

it.each<[string, Record<string, string>, string | undefined]>([
  ['https://a.test/', {}, undefined],
  ['https://a.test/', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['https://a.test/', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['http://a.test/', { HTTP_PROXY: 'p:1' }, 'http://p:1'],
  ['http://a.test/', { http_proxy: 'http://small:1', HTTP_PROXY: 'http://p:1' }, 'http://small:1'],
  ['http://a.test/', { ALL_PROXY: 'socks5://p:1' }, 'socks5://p:1'],
  ['https://a.test/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.test' }, 'http://p:1'],
  ['https://a.test/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.test, a.test' }, 'direct'],
  ['https://sub.a.test/', { HTTPS_PROXY: 'http://p:1', no_proxy: 'a.test' }, 'direct'],
  ['https://sub.a.test/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.a.test' }, 'direct'],
  ['https://sub.a.test/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*.a.test' }, 'direct'],
  ['https://nota.test/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.test' }, 'http://p:1'],
  ['https://a.test/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.test:8443' }, 'http://p:1'],
  ['https://a.test/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.test:443' }, 'direct'],
  ['https://a.test/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, 'direct'],
])('%s with %j goes by %s', (url, env, proxy) => {
  expect(proxyFromEnvironment(new URL(url), env)).toBe(proxy);
});

it.each([
  ['DIRECT', 'direct'],
  ['PROXY a:8080; DIRECT', 'http://a:8080'],
  ['SOCKS old:1080;HTTPS b:443', 'https://b:443'],
  ['SOCKS5 c:1080', 'socks5://c:1080'],
  ['', 'direct'],
])('%j means %s', (list, proxy) => {
  expect(proxyFromList(list)).toBe(proxy);
});

it.each([
  ['http://localhost:3000/', true],
  ['http://app.localhost/', true],
  ['http://127.8.0.1/', true],
  ['http://[::1]:80/', true],
  ['http://localhost.evil.test/', false],
  ['http://127.0.0.1.evil.test/', false],
])('%s is on this machine: %s', (url, expected) => {
  expect(isLoopback(new URL(url))).toBe(expected);
});
