import { expect, it, vi } from 'vitest';
import { forwardProgress } from './progress.ts';

it('passes on growing progress only, and every report counts as a sign of life', () => {
  const touch = vi.fn();
  const said: unknown[] = [];
  const hear = forwardProgress(touch, report => said.push(report));
  hear({ progress: 1, total: 3 });
  hear({ progress: 1, total: 3 });
  hear({ progress: 0.5 });
  hear({ progress: Number.NaN });
  hear({ progress: 1, message: "Fulfilling input required by 'tools/call' (round 1)" });
  hear({ progress: 0.2, message: 'the second round counts anew' });
  expect(said).toEqual([
    { progress: 1, total: 3 },
    { progress: 0.2, message: 'the second round counts anew' },
  ]);
  expect(touch).toHaveBeenCalledTimes(6);
});
