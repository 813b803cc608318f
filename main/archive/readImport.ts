import { unzipSync } from 'fflate';
import { HostError } from '../../shared/errors.ts';
import { fromChatGpt, isChatGptConversation } from './chatGptExport.ts';
import { fromClaude, isClaudeConversation } from './claudeExport.ts';
import { FORMAT, type PortableConversation, PortableFile } from './portable.ts';
import { inOrder } from './reading.ts';

export interface Import {
  conversations: PortableConversation[];
  /** How many could not be read or were empty. */
  skipped: number;
}

/**
 * What is in a file of Parley, or in a data export of Claude or ChatGPT: the archive as it was downloaded, or its
 * conversations.json.
 * @throws HostError `import.*` with the reason in words; nothing of the file has been used then
 */
export function readImport(bytes: Uint8Array): Import {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const texts = isZip ? conversationsIn(bytes) : [textOf(bytes)];
  const parts = texts.map(text => readJson(parse(text)));
  return {
    conversations: parts.flatMap(({ conversations }) => conversations),
    skipped: parts.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

/** In bytes, of what is unpacked from an archive together. */
const MOST_UNPACKED = 1_000_000_000;

function conversationsIn(archive: Uint8Array): string[] {
  let unpacked = 0;
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(archive, {
      filter({ name, originalSize }) {
        if (!/(^|\/)conversations(-\d+)?\.json$/.test(name)) return false;
        unpacked += originalSize;
        return unpacked <= MOST_UNPACKED;
      },
    });
  } catch (error) {
    throw new HostError('import.archive', `The archive cannot be read: ${(error as Error).message}`);
  }
  if (unpacked > MOST_UNPACKED)
    throw new HostError('import.tooLarge', 'The conversations in this archive are larger than a gigabyte.');
  const texts = Object.entries(files)
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([, bytes]) => textOf(bytes));
  if (texts.length === 0)
    throw new HostError(
      'import.nothing',
      'There is no conversations.json in this archive.',
      'Choose the data export of Claude or ChatGPT as you downloaded it, or a file that Parley exported.',
    );
  return texts;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unknownFile('It is not text.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unknownFile(`It is no JSON: ${(error as Error).message}`);
  }
}

function readJson(json: unknown): Import {
  if (typeof json === 'object' && json !== null && (json as { format?: unknown }).format === FORMAT)
    return readOwn(json);
  // The export of one conversation is the object itself.
  const list = Array.isArray(json) ? json : [json];
  if (!list.some(one => isClaudeConversation(one) || isChatGptConversation(one)))
    throw unknownFile('Nothing in it is a conversation of Parley, Claude or ChatGPT.');
  const conversations = list.flatMap(one => read(one) ?? []);
  return { conversations, skipped: list.length - conversations.length };
}

function read(value: unknown): PortableConversation | undefined {
  if (isClaudeConversation(value)) return fromClaude(value);
  return isChatGptConversation(value) ? fromChatGpt(value) : undefined;
}

function readOwn(json: object): Import {
  const { data, error } = PortableFile.safeParse(json);
  if (!data) {
    const [issue] = error.issues;
    throw new HostError(
      'import.damaged',
      `This file of Parley is damaged at ${issue?.path.join('.') || 'its beginning'}: ${issue?.message}`,
      'A newer Parley may have written it.',
    );
  }
  const conversations = data.conversations.filter(({ messages }) => messages.length > 0);
  return {
    conversations: conversations.map(one => ({ ...one, messages: inOrder(one.messages) })),
    skipped: data.conversations.length - conversations.length,
  };
}

function unknownFile(why: string): HostError {
  return new HostError(
    'import.unknown',
    `This file cannot be imported. ${why}`,
    'Choose the data export of Claude or ChatGPT as you downloaded it, or a file that Parley exported.',
  );
}
