import { createHash } from 'node:crypto';

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;
const SEPARATOR = '__';

/**
 * What the model calls a tool: `server__tool`, cleaned to `^[a-zA-Z0-9_-]{1,64}$`. Where cleaning or cutting changed
 * anything, or the parts could be read in two ways, a hash of the true names makes it unique. It depends on the two
 * names alone, so it stays the same whatever else is connected, and old conversations stay valid.
 */
export function modelNameOf(server: string, tool: string): string {
  const [cleanServer, cleanTool] = [clean(server), clean(tool)];
  const plain = `${cleanServer}${SEPARATOR}${cleanTool}`;
  const unchanged = cleanServer === server && cleanTool === tool;
  const unambiguous = !server.includes(SEPARATOR) && !server.endsWith('_') && !tool.startsWith('_');
  if (unchanged && unambiguous && plain.length <= MAX_LENGTH) return plain;
  const hash = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, HASH_LENGTH);
  const room = MAX_LENGTH - HASH_LENGTH - 1;
  return `${plain.slice(0, room)}_${hash}`;
}

function clean(name: string): string {
  return (
    name
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .replace(/[^a-zA-Z0-9_-]+/g, '_') || '_'
  );
}
