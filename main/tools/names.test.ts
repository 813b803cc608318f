import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelNameOf } from './names.ts';

const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;

describe('model-facing names', () => {
  it('is plain where nothing had to change', () => {
    expect(modelNameOf('files', 'read-file')).toBe('files__read-file');
  });

  it.each([
    'repo.search',
    'files/read',
    'Create Volume',
    'GET:/patterns/names',
    '検索',
    'Größe',
    'x'.repeat(200),
  ])('makes a legal name of %s', tool => {
    expect(modelNameOf('server', tool)).toMatch(LEGAL);
  });

  it('tells long names apart that differ only at their end', () => {
    const server = '7c0c2c53-6b1e-4c58-9f4e-6c1f0e2f9a10';
    const base = 'search_records_by_customer_account_identifier_and_date_range';
    const [created, updated] = [
      modelNameOf(server, `${base}_created`),
      modelNameOf(server, `${base}_updated`),
    ];
    expect(created).toMatch(LEGAL);
    expect(updated).toMatch(LEGAL);
    expect(created).not.toBe(updated);
  });

  it('tells names apart that look the same once cleaned or joined', () => {
    const pairs: [string, string][] = [
      ['A', 'get-user'],
      ['A', 'get.user'],
      ['A', 'get_user'],
      ['A', 'get user'],
      ['a__b', 'c'],
      ['a', 'b__c'],
      ['a_', 'x'],
      ['a', '_x'],
      ['é', 'x'],
      ['e', 'x'],
    ];
    expect(new Set(pairs.map(([server, tool]) => modelNameOf(server, tool))).size).toBe(pairs.length);
  });

  it('is legal, stable and distinct for any two names', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', 'b', '_', '.', ' ', '-') }),
    );
    const identity = fc.tuple(name, name);
    fc.assert(
      fc.property(
        fc.uniqueArray(identity, { maxLength: 40, selector: value => JSON.stringify(value) }),
        identities => {
          const names = identities.map(([server, tool]) => modelNameOf(server, tool));
          for (const each of names) expect(each).toMatch(LEGAL);
          expect(new Set(names).size).toBe(names.length);
          expect(identities.map(([server, tool]) => modelNameOf(server, tool))).toEqual(names);
        },
      ),
    );
  });
});
