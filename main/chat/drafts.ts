import type { Attachment } from '../../shared/attachments.ts';
import type { Draft } from '../../shared/chat.ts';
import type { Db } from '../database.ts';

type DraftChange = { [K in keyof Draft]?: Draft[K] | undefined };

/** In a conversation or (undefined) in the next new one; or in a message of it that is being edited. */
interface Place {
  conversationId: string | undefined;
  messageId?: string | undefined;
}

interface DraftRow {
  text: string;
  attachments: string;
}

/** What is written but not sent: for each conversation, for the next new one, and for each message that is edited. */
export class Drafts {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  get(conversationId: string | undefined): Draft {
    const row = this.#db.prepare('SELECT * FROM drafts WHERE place = ?').get(conversationId ?? '');
    return row ? toDraft(row as DraftRow) : { text: '', attachments: [] };
  }

  edits(conversationId: string): (Draft & { messageId: string })[] {
    const rows = this.#db
      .prepare('SELECT * FROM drafts WHERE conversation_id = ? AND message_id IS NOT NULL')
      .all(conversationId) as (DraftRow & { message_id: string })[];
    return rows.map(row => ({ messageId: row.message_id, ...toDraft(row) }));
  }

  /** What was deleted meanwhile gets none. */
  save({ conversationId = '', messageId }: Place, { text, attachments }: DraftChange): void {
    const place = messageId ?? conversationId;
    this.#db
      .prepare(
        `INSERT INTO drafts (place, conversation_id, message_id, text, attachments)
         SELECT :place, NULLIF(:conversation, ''), :message, COALESCE(:text, ''), COALESCE(:attachments, '[]')
         WHERE (:conversation = '' OR EXISTS (SELECT 1 FROM conversations WHERE id = :conversation))
           AND (:message IS NULL OR EXISTS (SELECT 1 FROM messages WHERE id = :message))
         ON CONFLICT (place) DO UPDATE
         SET text = COALESCE(:text, text), attachments = COALESCE(:attachments, attachments)`,
      )
      .run({
        place,
        conversation: conversationId,
        message: messageId ?? null,
        text: text ?? null,
        attachments: attachments ? JSON.stringify(attachments) : null,
      });
    this.#db.prepare("DELETE FROM drafts WHERE place = ? AND text = '' AND attachments = '[]'").run(place);
  }
}

function toDraft({ text, attachments }: DraftRow): Draft {
  return { text, attachments: JSON.parse(attachments) as Attachment[] };
}
