import type { Block, ToolCallBlock, ToolCallStatus } from '../../shared/chat.ts';

/** A block with its place in the message, or several calls that follow each other. */
export type Part = { index: number; block: Block | undefined } | { index: number; calls: ToolCallBlock[] };

/** Fewer than that are read at a glance. */
const LEAST = 3;

/** The blocks of a message, with the calls that run beside each other taken together. */
export function groupCalls(blocks: readonly (Block | undefined)[]): Part[] {
  const parts: Part[] = [];
  for (let index = 0; index < blocks.length; ) {
    let end = index;
    while (blocks[end]?.type === 'toolCall') end++;
    if (end - index >= LEAST) {
      parts.push({ index, calls: blocks.slice(index, end) as ToolCallBlock[] });
      index = end;
    } else {
      parts.push({ index, block: blocks[index] });
      index++;
    }
  }
  return parts;
}

const told: [ToolCallStatus, string][] = [
  ['running', 'running'],
  ['pending', 'being written'],
  ['failed', 'failed'],
  ['denied', 'denied'],
  ['cancelled', 'stopped'],
  ['interrupted', 'interrupted'],
];

/** “5 calls, 1 waits for you, 2 running”; what is done is not counted. */
export function groupWords(calls: readonly ToolCallBlock[]): string {
  const count = (status: ToolCallStatus) => calls.filter(call => call.status === status).length;
  const waiting = count('waiting');
  const parts = told.flatMap(([status, word]) => (count(status) > 0 ? [`${count(status)} ${word}`] : []));
  if (waiting > 0) parts.unshift(`${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you`);
  return [`${calls.length} calls`, ...(parts.length === 0 ? ['all done'] : parts)].join(', ');
}

/** Whether there is something to see of a call also while its group is closed. */
export function standsOut({ status, progress, task, result }: ToolCallBlock): boolean {
  if (status === 'running') return progress !== undefined || task !== undefined;
  if (status === 'failed' || status === 'interrupted' || status === 'waiting') return true;
  return result?.content.some(({ type }) => type === 'image') ?? false;
}
