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
    const row = this.#db.prepare('SELECT text FROM drafts WHERE place = ?').get(placeOf(conversationId));
    return { text: (row as { text: string } | undefined)?.text ?? '' };
  }

  /** A conversation that was deleted meanwhile gets none. */
  save(conversationId: string | undefined, { text }: DraftChange): void {
    const place = placeOf(conversationId);
    this.#db
      .prepare(
        `INSERT INTO drafts SELECT :place, NULLIF(:place, ''), COALESCE(:text, ''), '[]'
         WHERE :place = '' OR EXISTS (SELECT 1 FROM conversations WHERE id = :place)
         ON CONFLICT (place) DO UPDATE SET text = COALESCE(:text, text)`,
      )
      .run({ place, text: text ?? null });
    this.#db.prepare("DELETE FROM drafts WHERE place = ? AND text = ''").run(place);
  }
}

function placeOf(conversationId: string | undefined): string {
  return conversationId ?? '';
}
