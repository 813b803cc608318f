import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../database.ts';
import { Policy } from './policy.ts';

const tool = {
  server: 's',
  tool: 't',
  description: 'adds',
  inputSchema: { type: 'object', properties: { a: {} } },
};

describe('the policy', () => {
  it('asks unless a person said otherwise', () => {
    expect(new Policy(openDatabase(':memory:')).decide(tool)).toEqual({ rule: 'ask', changed: false });
  });

  it('keeps allow and deny, for that tool only, and takes them back', () => {
    const policy = new Policy(openDatabase(':memory:'));
    policy.set(tool, 'allow');
    expect(policy.decide(tool).rule).toBe('allow');
    expect(policy.decide({ ...tool, tool: 'other' }).rule).toBe('ask');
    expect(policy.decide({ ...tool, server: 'other' }).rule).toBe('ask');
    policy.set(tool, 'deny');
    expect(policy.decide(tool).rule).toBe('deny');
    policy.set(tool, 'ask');
    expect(policy.decide(tool)).toEqual({ rule: 'ask', changed: false });
  });

  it.each([
    ['description', { ...tool, description: 'deletes' }],
    ['schema', { ...tool, inputSchema: { type: 'object', properties: { a: {}, b: {} } } }],
    ['annotations', { ...tool, annotations: { destructiveHint: true } }],
  ])('asks again when the %s of an allowed tool changed, and a deny holds', (_what, changed) => {
    const policy = new Policy(openDatabase(':memory:'));
    policy.set(tool, 'allow');
    expect(policy.decide(changed)).toEqual({ rule: 'ask', changed: true });
    policy.set(tool, 'deny');
    expect(policy.decide(changed)).toEqual({ rule: 'deny', changed: false });
  });

  it('does not mind the order in which a server writes its keys', () => {
    const policy = new Policy(openDatabase(':memory:'));
    policy.set(tool, 'allow');
    expect(policy.decide({ ...tool, inputSchema: { properties: { a: {} }, type: 'object' } }).rule).toBe(
      'allow',
    );
  });

  it('moves with a renamed server and ends with a removed one', () => {
    const policy = new Policy(openDatabase(':memory:'));
    policy.set(tool, 'allow');
    policy.renameServer('s', 'new');
    expect(policy.decide({ ...tool, server: 'new' }).rule).toBe('allow');
    expect(policy.decide(tool).rule).toBe('ask');
    policy.forgetServer('new');
    expect(policy.decide({ ...tool, server: 'new' }).rule).toBe('ask');
  });

  it('learns within a second what another Parley on the same data changed', async () => {
    const db = openDatabase(':memory:');
    const [here, there] = [new Policy(db), new Policy(db)];
    expect(here.decide(tool).rule).toBe('ask');
    there.set(tool, 'deny');
    await vi.waitFor(() => expect(here.decide(tool).rule).toBe('deny'), { timeout: 10_000 });
  });
});
