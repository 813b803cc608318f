import { describe, expect, it } from 'vitest';
import { isOnlyReference, referencesIn, replaceReferences } from './references.ts';

describe('references', () => {
  it('are found in the order in which they stand, each once', () => {
    expect(referencesIn('${secret:A} ${env:B_1}${secret:A} ${env:A}')).toEqual([
      { kind: 'secret', name: 'A' },
      { kind: 'env', name: 'B_1' },
      { kind: 'env', name: 'A' },
    ]);
  });

  it.each([
    '$A',
    '${A}',
    '${file:A}',
    '${secret:}',
    '${secret:1A}',
    '${secret:A B}',
    '${ secret:A}',
    '${SECRET:A}',
  ])('%s is none', text => {
    expect(referencesIn(text)).toEqual([]);
    expect(replaceReferences(text, () => 'x')).toBe(text);
  });

  it('are replaced once: what comes in their place is not read again', () => {
    expect(replaceReferences('a ${secret:A} b', () => '${env:B} $& $1')).toBe('a ${env:B} $& $1 b');
  });

  it.each(['${secret:A}', '${env:A}', 'Bearer ${secret:A}', 'basic ${env:A}'])('%s can be shown', text =>
    expect(isOnlyReference(text)).toBe(true),
  );

  it.each([
    '',
    '${SECRET:A}',
    'Bearer abc',
    'hunter2 ${secret:A}',
    '${secret:A}hunter2',
    '${secret:A} ${secret:B}',
    ' ${secret:A}',
  ])('%j may hold a secret', text => expect(isOnlyReference(text)).toBe(false));
});
