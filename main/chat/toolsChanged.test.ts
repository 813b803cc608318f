import { describe, expect, it } from 'vitest';
import { toolsChanged } from './toolsChanged.ts';

describe('the notice of changed tools', () => {
  it('is none at first and when nothing changed', () => {
    expect(toolsChanged(undefined, ['a'])).toBeUndefined();
    expect(toolsChanged(['a', 'b'], ['b', 'a'])).toBeUndefined();
  });

  it('names what came and what went, but no endless list', () => {
    expect(toolsChanged(['a'], ['b'])?.message).toBe(
      'New tools are available: b. These tools are no longer available: a.',
    );
    const many = Array.from({ length: 100 }, (_, index) => `t${index}`);
    expect(toolsChanged([], many)?.message).toMatch(/t29 and 70 more\.$/);
  });
});
