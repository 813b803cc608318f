import type { Block } from '../../shared/chat.ts';

/**
 * A block of a message that is copied. `ids` gives the new id of each message by its old one. In a copy nothing is under
 * way: a call that was is over, and no server is asked for a task of it.
 */
export function copiedBlock(block: Block, ids: ReadonlyMap<string, string>): Block {
  if (block.type === 'summary') return { ...block, upTo: ids.get(block.upTo) ?? block.upTo };
  if (block.type !== 'toolCall') return block;
  const { task: _task, progress: _progress, abridged: _abridged, ...call } = block;
  const isOver = !['pending', 'waiting', 'running'].includes(call.status);
  return isOver ? call : { ...call, status: 'interrupted' };
}
