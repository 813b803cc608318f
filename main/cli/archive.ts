/** The commands about conversations as files: `export`, `import`. They start no server. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { HostError } from '../../shared/errors.ts';
import { Archive } from '../archive/archive.ts';
import { readImport } from '../archive/readImport.ts';
import { Conversations } from '../chat/conversations.ts';
import { openDatabase } from '../database.ts';
import { HostEvents } from '../events.ts';
import { welcomeNewcomer } from '../host.ts';
import type { Output } from './output.ts';

/** Writes all conversations into a file: Markdown when it is named so, else JSON that can be imported. @throws HostError */
export function exportConversations(dataDir: string, output: Output, file: string): number {
  return withArchive(dataDir, (archive, conversations) => {
    const ids = conversations.list().map(({ id }) => id);
    if (ids.length === 0) throw new HostError('cli.export', 'There is no conversation to export.');
    const text = file.endsWith('.md') ? archive.toMarkdown(ids) : archive.toJson(ids);
    try {
      writeFileAtomic.sync(file, text);
    } catch (error) {
      throw new HostError('cli.export', `${file} could not be written: ${(error as Error).message}`);
    }
    output.result({ file, conversations: ids.length }, `Exported ${ids.length} to ${file}.`);
    return 0;
  });
}

/** Takes the conversations of a file of Parley, Claude or ChatGPT in. @throws HostError */
export function importConversations(dataDir: string, output: Output, file: string): number {
  if (!existsSync(file)) throw new HostError('cli.import', `There is no file ${file}.`);
  const { conversations, skipped } = readImport(readFileSync(file));
  return withArchive(dataDir, archive => {
    const ids = archive.add(conversations);
    const rest = skipped === 0 ? '' : ` ${skipped} were empty or could not be read.`;
    output.result({ ids, skipped }, `Imported ${ids.length}.${rest}`);
    return 0;
  });
}

function withArchive<T>(dataDir: string, work: (archive: Archive, conversations: Conversations) => T): T {
  const file = join(dataDir, 'parley.db');
  // What the first start does is not left out because this came before it.
  if (!existsSync(file)) welcomeNewcomer(join(dataDir, 'servers.json'));
  const db = openDatabase(file);
  try {
    const conversations = new Conversations(db, new HostEvents().emit);
    return work(new Archive(db, conversations), conversations);
  } finally {
    db.close();
  }
}
