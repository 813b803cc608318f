import { type ParseError, parse } from 'jsonc-parser';
import { HostError } from '../../shared/errors.ts';
import { type ServerConfig, ServerName } from '../../shared/servers.ts';
import { understandEntry } from './entries.ts';
import { isObject } from './objects.ts';

/**
 * The servers of a pasted configuration: `{"mcpServers": …}`, `{"servers": …}`, the bare map of names, or a piece of
 * one without the braces around it.
 * @throws HostError that says what is missing
 */
export function understandPaste(text: string): Map<string, ServerConfig> {
  const root = parseTolerantly(text);
  const map = root.mcpServers ?? root.servers ?? root;
  if (!isObject(map) || Object.keys(map).length === 0) {
    throw new HostError(
      'config.paste',
      'There is no server in this text.',
      'Paste JSON such as {"mcpServers": {"name": {"command": "…"}}}.',
    );
  }
  if (map === root && ['command', 'url', 'serverUrl', 'httpUrl'].some(key => typeof map[key] === 'string')) {
    throw new HostError('config.paste', 'This entry has no name.', 'Put it under a name: {"name": {…}}.');
  }
  return new Map(
    Object.entries(map).map(([name, raw]) => {
      if (!ServerName.safeParse(name).success)
        throw new HostError('config.paste', `“${name}” cannot be the name of a server.`, 'Rename it.');
      const entry = understandEntry(raw);
      if ('code' in entry)
        throw new HostError('config.paste', `“${name}”: ${entry.message}`, 'Correct the pasted text.');
      return [name, entry];
    }),
  );
}

function parseTolerantly(text: string): Record<string, unknown> {
  const bare = text.replace(/^\uFEFF/, '').trim();
  // `"name": {…}` is what one copies out of the middle of a file.
  const whole = bare.startsWith('"') ? `{${bare}}` : bare;
  const errors: ParseError[] = [];
  const root: unknown = parse(whole, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const before = whole.slice(0, first.offset).split('\n');
    throw new HostError(
      'config.paste',
      `The text is not valid JSON: look at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`,
      'Paste it whole, with every bracket.',
    );
  }
  return isObject(root) ? root : {};
}
