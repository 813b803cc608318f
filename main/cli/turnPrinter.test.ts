import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Block, ToolCallBlock } from '../../shared/chat.ts';
import { HostEvents } from '../events.ts';
import { Output } from './output.ts';
import { TurnPrinter } from './turnPrinter.ts';

/** A conversation `c` whose events are printed; what went to stdout and to stderr. */
function printed(options: { text: boolean }) {
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const events = new HostEvents();
  events.on(new TurnPrinter(new Output({ json: false, stdout, stderr }), 'c', options).hear);
  const place = { conversationId: 'c', messageId: 'm' };
  return {
    block: (index: number, block: Block) => events.emit('block.changed', { ...place, index, block }),
    delta: (index: number, text: string) =>
      events.emit('block.delta', { ...place, index, kind: 'text', text }),
    end: () => events.emit('turn.changed', { conversationId: 'c', phase: 'idle' }),
    emit: events.emit,
    stdout: () => String(stdout.read() ?? ''),
    stderr: () => String(stderr.read() ?? ''),
  };
}

const call: ToolCallBlock = {
  type: 'toolCall',
  id: '1',
  modelName: 'sample_add',
  server: 'sample',
  tool: 'add',
  input: { a: 1 },
  status: 'pending',
};

it('prints streamed text once, whatever order it comes in', () => {
  const { block, delta, end, stdout } = printed({ text: true });
  block(0, { type: 'text', text: '' });
  delta(0, 'Hel');
  delta(0, 'lo\u001b[2J');
  block(0, { type: 'text', text: 'Hello\u001b[2J' });
  block(1, { type: 'text', text: 'Whole.' });
  end();
  expect(stdout()).toBe('Hello[U+001B][2J\nWhole.\n');
});

it('leaves the text to others when it is not wanted, and other conversations always', () => {
  const { block, emit, stdout, stderr } = printed({ text: false });
  block(0, { type: 'text', text: 'Hello' });
  emit('block.delta', { conversationId: 'other', messageId: 'm', index: 0, kind: 'text', text: 'no' });
  expect(stdout() + stderr()).toBe('');
});

it('tells each step of a call once', () => {
  const { block, delta, stdout, stderr } = printed({ text: true });
  delta(0, 'I add.');
  block(1, call);
  block(1, { ...call, status: 'waiting' });
  block(1, { ...call, status: 'running', args: { a: 1 } });
  block(1, {
    ...call,
    status: 'running',
    args: { a: 1 },
    progress: { progress: 1, total: 2, message: 'half' },
  });
  const done: Block = {
    ...call,
    status: 'done',
    result: { content: [{ type: 'text', text: 'It is\n1' }] },
  };
  block(1, done);
  block(1, done);
  block(2, { ...call, status: 'failed', error: { code: 'x', message: 'It broke.', hint: 'Mend it.' } });
  expect(stdout()).toBe('I add.\n');
  expect(stderr().split('\n')).toEqual([
    expect.stringContaining('→ sample · add {"a":1}'),
    expect.stringContaining('1 of 2: half'),
    expect.stringContaining('← It is 1'),
    expect.stringContaining('✗ sample · add: It broke. Mend it.'),
    '',
  ]);
});

it('tells errors with their hint, and why it waits', () => {
  const { block, emit, stderr } = printed({ text: true });
  block(0, { type: 'notice', level: 'error', code: 'x', message: 'No key.', hint: 'Enter one.' });
  emit('turn.changed', {
    conversationId: 'c',
    phase: 'retrying',
    retry: { reason: 'Overloaded', at: 0, attempt: 2 },
  });
  expect(stderr()).toMatch(/No key\.\n {2}Enter one\.\n.*Overloaded; trying again \(2\)/);
});

it('says once that earlier messages were summarised', () => {
  const { block, stdout, stderr } = printed({ text: true });
  const summary: Block = { type: 'summary', text: 'They met.', upTo: 'x', model: 'm' };
  block(0, summary);
  block(0, summary);
  expect(stdout()).toBe('');
  expect(stderr()).toBe('Earlier messages were summarised.\n');
});
