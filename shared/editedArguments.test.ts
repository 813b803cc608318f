import { describe, expect, it } from 'vitest';
import { fitsForm, readArguments } from './editedArguments.ts';

const schema = {
  type: 'object',
  properties: {
    a: { type: 'number' },
    note: { type: 'string' },
    days: { type: 'array', items: { enum: ['mon'] } },
  },
};

describe('changed arguments', () => {
  it('are a form where that holds all of them', () => {
    expect(fitsForm(schema, { a: 19, note: 'x' })).toBe(true);
    expect(fitsForm(schema, { a: 19, more: 1 })).toBe(false);
    expect(fitsForm(schema, { a: '19 apples' })).toBe(false);
    expect(fitsForm({ type: 'object' }, {})).toBe(false);
  });

  it('are one JSON object, or it is said what is wrong', () => {
    expect(readArguments('{"a": 1}')).toEqual({ args: { a: 1 } });
    expect(readArguments('[1]')).toEqual({ problem: expect.stringContaining('one JSON object') });
    expect(readArguments('{"a": ')).toEqual({ problem: expect.stringContaining('not JSON') });
  });
});
