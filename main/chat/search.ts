import type { Excerpt, FoundConversation, Message } from '../../shared/chat.ts';
import type { Db } from '../database.ts';
import type { Conversations } from './conversations.ts';

/** Nobody reads more; whoever wants another one gives one word more. */
const MAX_MESSAGES = 300;
const MAX_PER_CONVERSATION = 3;
/** Around the first hit, in words. */
const EXCERPT_WORDS = 16;
/** Between them stands what was found: no text of a conversation is lost over them. */
const MARK = { begin: '\u0001', end: '\u0002' };

interface FoundRow {
  conversation_id: string;
  message_id: string;
  role: Message['role'];
  excerpt: string;
}

/**
 * The conversations with all the words in their title, or in one message, in the order of the list. Archived ones are
 * found too.
 */
export function searchConversations(
  db: Db,
  conversations: Conversations,
  query: string,
): { found: FoundConversation[]; isCut: boolean } {
  const terms = termsOf(query);
  if (terms.length === 0) return { found: [], isCut: false };
  // The newest first, which takes no time to find: to rank them, all would have to be read.
  const rows = db
    .prepare(
      `SELECT m.conversation_id, m.id AS message_id, m.role,
         snippet(block_words, 0, ?, ?, '…', ${EXCERPT_WORDS}) AS excerpt
       FROM block_words JOIN blocks b ON b.id = block_words.rowid JOIN messages m ON m.id = b.message_id
       WHERE block_words MATCH ? ORDER BY block_words.rowid DESC LIMIT ${MAX_MESSAGES + 1}`,
    )
    .all(MARK.begin, MARK.end, terms.map(matching).join(' ')) as FoundRow[];
  const isCut = rows.length > MAX_MESSAGES;
  const byConversation = new Map<string, FoundRow[]>();
  for (const row of rows.slice(0, MAX_MESSAGES))
    byConversation.set(row.conversation_id, [...(byConversation.get(row.conversation_id) ?? []), row]);
  const found = conversations.list().flatMap(conversation => {
    const title = markIn(conversation.title, terms);
    const messages = byConversation.get(conversation.id) ?? [];
    if (!title && messages.length === 0) return [];
    return {
      conversation,
      title: title ?? [{ text: conversation.title, isHit: false }],
      messages: messages
        .slice(0, MAX_PER_CONVERSATION)
        .map(({ message_id, role, excerpt }) => ({ messageId: message_id, role, excerpt: marked(excerpt) })),
      more: Math.max(0, messages.length - MAX_PER_CONVERSATION),
    };
  });
  return { found, isCut };
}

interface Term {
  text: string;
  /** The person may be in the middle of this word. */
  isBeginning: boolean;
}

/** Words, and what stands in quotes as one. */
function termsOf(query: string): Term[] {
  const parts = [...query.matchAll(/"([^"]+)"?|[^\s"]+/g)];
  return parts
    .map(([whole, quoted], index) => ({
      text: (quoted ?? whole).trim(),
      isBeginning: quoted === undefined && index === parts.length - 1 && !/\s$/.test(query),
    }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

/** As a string of the index's own language, so that nothing in it is an operator. */
function matching({ text, isBeginning }: Term): string {
  return `"${text.replaceAll('"', '""')}"${isBeginning ? '*' : ''}`;
}

/** Undefined when not all of the terms are in it. */
function markIn(text: string, terms: readonly Term[]): Excerpt | undefined {
  const plain = simplified(text);
  const wanted = terms.map(term => simplified(term.text));
  // A letter that is written as two would shift the marks; then only the whole is shown.
  if (!wanted.every(term => plain.includes(term))) return undefined;
  if (plain.length !== text.length) return [{ text, isHit: false }];
  const pattern = new RegExp(wanted.map(term => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'g');
  const excerpt: Excerpt = [];
  let from = 0;
  for (const { index, 0: hit } of plain.matchAll(pattern)) {
    excerpt.push({ text: text.slice(from, index), isHit: false });
    excerpt.push({ text: text.slice(index, index + hit.length), isHit: true });
    from = index + hit.length;
  }
  return [...excerpt, { text: text.slice(from), isHit: false }].filter(part => part.text !== '');
}

/** Without case and accents, as the index has it. */
function simplified(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function marked(text: string): Excerpt {
  return text
    .split(MARK.begin)
    .flatMap((part, index) => {
      if (index === 0) return { text: part, isHit: false };
      const [hit = '', rest = ''] = part.split(MARK.end);
      return [
        { text: hit, isHit: true },
        { text: rest, isHit: false },
      ];
    })
    .filter(part => part.text !== '');
}
