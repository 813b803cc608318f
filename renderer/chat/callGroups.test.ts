import { describe, expect, it } from 'vitest';
import type { ToolCallBlock } from '../../shared/chat.ts';
import { groupCalls, groupWords, standsOut } from './callGroups.ts';

const call = (status: ToolCallBlock['status'], more: Partial<ToolCallBlock> = {}): ToolCallBlock => ({
  type: 'toolCall',
  id: 'x',
  modelName: 'a__b',
  input: {},
  status,
  ...more,
});
const text = { type: 'text', text: 'hello' } as const;

describe('calls beside each other', () => {
  it('are one part from three on, in their place; other blocks stay for themselves', () => {
    const [one, two, three] = [call('done'), call('running'), call('failed')];
    expect(groupCalls([text, one, two, three, text, one, two])).toEqual([
      { index: 0, block: text },
      { index: 1, calls: [one, two, three] },
      { index: 4, block: text },
      { index: 5, block: one },
      { index: 6, block: two },
    ]);
  });

  it('keep a place where a block has not come yet', () => {
    expect(groupCalls([undefined, text])).toEqual([
      { index: 0, block: undefined },
      { index: 1, block: text },
    ]);
  });

  it('say how many there are, and what is not done', () => {
    expect(groupWords([call('done'), call('done'), call('done')])).toBe('3 calls, all done');
    expect(groupWords([call('waiting'), call('running'), call('done'), call('failed')])).toBe(
      '4 calls, 1 waits for you, 1 running, 1 failed',
    );
  });

  it('stand out of a closed group where there is something to see or to do', () => {
    const picture = { content: [{ type: 'image', data: '', mimeType: 'image/png' }] };
    expect(standsOut(call('done', { result: picture }))).toBe(true);
    expect(standsOut(call('done', { result: { content: [] } }))).toBe(false);
    expect(standsOut(call('running'))).toBe(false);
    expect(standsOut(call('running', { progress: { progress: 1 } }))).toBe(true);
    expect(standsOut(call('failed'))).toBe(true);
  });
});
