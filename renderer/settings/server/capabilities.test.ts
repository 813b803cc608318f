import { expect, it } from 'vitest';
import { capabilityWords } from './capabilities.ts';

it('says what a server declares, known or not', () => {
  expect(
    capabilityWords({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: {},
      completions: {},
      odd: null,
      extensions: { 'io.example/thing': {} },
    }),
  ).toEqual([
    'tools (tells of changes)',
    'resources (tells of changes, can be followed)',
    'prompts',
    'completion of arguments',
    'odd',
    'io.example/thing',
  ]);
});
