import { describe, expect, it, vi } from 'vitest';
import { HostEvents } from '../events.ts';
import { ConversationGrants } from './conversationGrants.ts';
import type { ToolIdentity } from './identity.ts';

const tool: ToolIdentity = { server: 's', tool: 't', inputSchema: {} };

function setUp() {
  const events = new HostEvents();
  const told: unknown[] = [];
  events.on(({ name, payload }) => name === 'conversationRules.changed' && told.push(payload));
  return { grants: new ConversationGrants(events.emit), told };
}

describe('what is allowed for a conversation', () => {
  it('holds there, for that tool as it is, and is told', () => {
    const { grants, told } = setUp();
    grants.allow('c', tool);
    expect(grants.allows('c', { ...tool })).toBe('rule');
    expect(grants.allows('d', tool)).toBeUndefined();
    expect(grants.allows(undefined, tool)).toBeUndefined();
    expect(grants.allows('c', { ...tool, description: 'changed' })).toBeUndefined();
    const allowed = [{ server: 's', tool: 't', since: expect.any(Number) }];
    const view = { conversationId: 'c', allowed, muted: [] };
    expect(told).toEqual([view]);
    expect(grants.list()).toEqual([view]);
  });

  it.each<[string, (grants: ConversationGrants) => void]>([
    ['when it is taken back', grants => grants.revoke('c', 's', 't')],
    ['with a new rule for the tool', grants => grants.forgetTool('s', 't')],
    ['with the server', grants => grants.forgetServer('s')],
    ['with the conversation', grants => grants.forgetConversation('c')],
  ])('ends %s', (_when, end) => {
    const { grants, told } = setUp();
    grants.allow('c', tool);
    end(grants);
    expect(grants.allows('c', tool)).toBeUndefined();
    expect(told.at(-1)).toEqual({ conversationId: 'c', allowed: [], muted: [] });
    expect(grants.list()).toEqual([]);
  });
});

describe('full auto', () => {
  it('allows everything in its conversation until it is ended, whatever the tool has become', () => {
    const { grants } = setUp();
    grants.setFullAuto('c', true);
    expect(grants.allows('c', tool)).toBe('fullAuto');
    expect(grants.allows('c', { ...tool, description: 'changed' })).toBe('fullAuto');
    expect(grants.allows('d', tool)).toBeUndefined();
    grants.setFullAuto('c', false);
    expect(grants.allows('c', tool)).toBeUndefined();
    expect(grants.list()).toEqual([]);
  });

  it('is in no new Parley', () => {
    const { grants } = setUp();
    grants.setFullAuto('c', true);
    expect(setUp().grants.allows('c', tool)).toBeUndefined();
  });
});

describe('a muted server', () => {
  it('is muted there only, and what it asks is counted, but not told for each of a flood', async () => {
    const { grants, told } = setUp();
    grants.setMuted('c', 's', true);
    for (let n = 0; n < 1000; n++) expect(grants.isMuted('c', 's')).toBe(true);
    expect([grants.isMuted('d', 's'), grants.isMuted(undefined, 's'), grants.isMuted('c', 'other')]).toEqual([
      false,
      false,
      false,
    ]);
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ muted: [{ server: 's', declined: 1000 }] }));
    expect(told.length).toBeLessThan(5);
    grants.setMuted('c', 's', false);
    expect(grants.isMuted('c', 's')).toBe(false);
  });

  it('can be muted outside of conversations', () => {
    const { grants } = setUp();
    grants.setMuted(undefined, 's', true);
    expect(grants.isMuted(undefined, 's')).toBe(true);
    expect(grants.isMuted('c', 's')).toBe(false);
    grants.close();
  });
});
