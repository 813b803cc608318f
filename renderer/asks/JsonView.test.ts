import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { JsonView } from './JsonView.tsx';

const html = (value: unknown) => renderToStaticMarkup(createElement(JsonView, { value }));
const entriesIn = (markup: string) => markup.split('<dt').length - 1;
const nested = (width: number, depth: number): unknown =>
  depth === 0
    ? 'leaf'
    : Object.fromEntries(Array.from({ length: width }, (_, nth) => [`key ${nth}`, nested(width, depth - 1)]));

it('shows what arguments usually are at every depth, with nothing folded', () => {
  const markup = html({ path: '/tmp', options: { deep: { deeper: [1, { last: 'word' }] } } });
  expect(markup).toContain('word');
  expect(markup).not.toContain('<button');
});

it('shows of a value with thousands of entries some hundred, and says how many there are where it folds', () => {
  for (const [width, depth] of [
    [30, 3],
    [60, 2],
    [5, 7],
  ] as const) {
    const markup = html(nested(width, depth));
    expect(entriesIn(markup)).toBeGreaterThan(10);
    expect(entriesIn(markup)).toBeLessThanOrEqual(400);
    expect(markup).toMatch(/Show (\d+ more of )?\d+ entries/);
  }
  expect(html(Array.from({ length: 1200 }, (_, nth) => nth))).toContain('Show 50 more of 1,200 entries');
});
