import { describe, expect, it } from 'vitest';
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
    expect(grants.allows('c', { ...tool })).toBe(true);
    expect(grants.allows('d', tool)).toBe(false);
    expect(grants.allows(undefined, tool)).toBe(false);
    expect(grants.allows('c', { ...tool, description: 'changed' })).toBe(false);
    const view = { conversationId: 'c', allowed: [{ server: 's', tool: 't', since: expect.any(Number) }] };
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
    expect(grants.allows('c', tool)).toBe(false);
    expect(told.at(-1)).toEqual({ conversationId: 'c', allowed: [] });
    expect(grants.list()).toEqual([]);
  });
});
