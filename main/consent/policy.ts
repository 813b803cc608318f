import { createHash } from 'node:crypto';
import type { ToolRule } from '../../shared/tools.ts';
import type { Db } from '../database.ts';

/** What a rule is bound to: a tool's identity, and what it claims to be and do. */
export interface ToolIdentity {
  server: string;
  /** The server's own name for the tool. */
  tool: string;
  description?: string | undefined;
  inputSchema: unknown;
  annotations?: unknown;
}

export interface Decision {
  rule: ToolRule;
  /** The tool was always allowed, but its definition has changed since: ask again and say so. */
  changed: boolean;
}

/** The person's standing answers: allow / ask / deny for each tool; `ask` unless they said otherwise. */
export class Policy {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** A changed definition never keeps an `allow`; a `deny` holds whatever the tool says of itself. */
  decide(tool: ToolIdentity): Decision {
    const row = this.#db
      .prepare('SELECT rule, fingerprint FROM tool_rules WHERE server = ? AND tool = ?')
      .get(tool.server, tool.tool) as { rule: ToolRule; fingerprint: string } | undefined;
    if (!row) return { rule: 'ask', changed: false };
    if (row.rule === 'allow' && row.fingerprint !== fingerprint(tool)) return { rule: 'ask', changed: true };
    return { rule: row.rule, changed: false };
  }

  set(tool: ToolIdentity, rule: ToolRule): void {
    if (rule === 'ask') {
      this.#db.prepare('DELETE FROM tool_rules WHERE server = ? AND tool = ?').run(tool.server, tool.tool);
      return;
    }
    this.#db
      .prepare(
        'INSERT OR REPLACE INTO tool_rules (server, tool, rule, fingerprint, since) VALUES (?, ?, ?, ?, ?)',
      )
      .run(tool.server, tool.tool, rule, fingerprint(tool), Date.now());
  }

  /** Moves the rules of a renamed server. */
  renameServer(from: string, to: string): void {
    this.#db.prepare('UPDATE OR REPLACE tool_rules SET server = ? WHERE server = ?').run(to, from);
  }

  /** Forgets the rules of a removed server, so that a later one of the same name starts with none. */
  forgetServer(server: string): void {
    this.#db.prepare('DELETE FROM tool_rules WHERE server = ?').run(server);
  }
}

function fingerprint(tool: ToolIdentity): string {
  const { description, inputSchema, annotations } = tool;
  return createHash('sha256').update(canonical({ description, inputSchema, annotations })).digest('hex');
}

/** JSON with sorted keys: the order in which a server happens to write them does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
