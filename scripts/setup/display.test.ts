import { describe, expect, it } from 'vitest';
import { hasDisplay } from './display.mjs';

describe('hasDisplay', () => {
  it.each([
    [{}, 'linux', false],
    [{ DISPLAY: '' }, 'linux', false],
    [{ DISPLAY: ':0' }, 'linux', true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    [{}, 'darwin', true],
    [{}, 'win32', true],
  ] as const)('with %o on %s is %s', (env, platform, expected) => {
    expect(hasDisplay(env, platform)).toBe(expected);
  });
});
