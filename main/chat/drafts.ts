import type { Attachment } from '../../shared/attachments.ts';
import type { Draft } from '../../shared/chat.ts';
import type { Db } from '../database.ts';

type DraftChange = { [K in keyof Draft]?: Draft[K] | undefined };

/** What is written but not sent, one draft for each conversation and one for the next new one. */
export class Drafts {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  get(conversationId: string | undefined): Draft {
    const row = this.#db.prepare('SELECT * FROM drafts WHERE place = ?').get(placeOf(conversationId)) as
      | { text: string; attachments: string }
      | undefined;
    return { text: row?.text ?? '', attachments: JSON.parse(row?.attachments ?? '[]') as Attachment[] };
  }

  /** A conversation that was deleted meanwhile gets none. */
  save(conversationId: string | undefined, { text, attachments }: DraftChange): void {
    const place = placeOf(conversationId);
    this.#db
      .prepare(
        `INSERT INTO drafts SELECT :place, NULLIF(:place, ''), COALESCE(:text, ''), COALESCE(:attachments, '[]')
         WHERE :place = '' OR EXISTS (SELECT 1 FROM conversations WHERE id = :place)
         ON CONFLICT (place) DO UPDATE 
         SET text = COALESCE(:text, text), attachments = COALESCE(:attachments, attachments)`,
      )
      .run({ place, text: text ?? null, attachments: attachments ? JSON.stringify(attachments) : null });
    this.#db.prepare("DELETE FROM drafts WHERE place = ? AND text = '' AND attachments = '[]'").run(place);
  }
}

function placeOf(conversationId: string | undefined): string {
  return conversationId ?? '';
}
