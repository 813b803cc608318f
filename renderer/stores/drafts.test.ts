import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bridge } from '../../shared/ipc.ts';
import { draftOf, loadDraft, setDraft } from './drafts.ts';
import { saveDrafts } from './saveLater.ts';

const requests: [string, unknown][] = [];
let stored = '';

beforeEach(() => {
  vi.useFakeTimers();
  requests.length = 0;
  const request = async (name: string, input: unknown) => {
    requests.push([name, input]);
    return { ok: true, value: name === 'drafts.get' ? { text: stored, attachments: [] } : undefined };
  };
  vi.stubGlobal('window', { parley: { request } as unknown as Bridge });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('drafts in the window', () => {
  it('are saved once after many keys, and at once when the window closes', () => {
    for (const text of ['a', 'ab', 'abc']) setDraft('keys', { text });
    expect(requests).toEqual([]);
    vi.runAllTimers();
    expect(requests).toEqual([['drafts.save', { conversationId: 'keys', text: 'abc' }]]);
    setDraft('keys', { text: 'abcd' });
    saveDrafts();
    vi.runAllTimers();
    expect(requests.slice(1)).toEqual([['drafts.save', { conversationId: 'keys', text: 'abcd' }]]);
  });

  it('come from the host once, and never over what has been typed meanwhile', async () => {
    stored = 'from before';
    await loadDraft('fresh');
    await loadDraft('fresh');
    expect(draftOf('fresh').text).toBe('from before');
    expect(requests).toHaveLength(1);
    const loading = loadDraft('typed');
    setDraft('typed', { text: 'newer' });
    await loading;
    expect(draftOf('typed').text).toBe('newer');
  });
});
