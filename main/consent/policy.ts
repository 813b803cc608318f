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

/** Another Parley may work on the same data: what was changed there counts after this time. */
const REREAD_MS = 1000;

interface Rule {
  rule: ToolRule;
  fingerprint: string;
}

/** The person's standing answers: allow / ask / deny for each tool; `ask` unless they said otherwise. */
export class Policy {
  readonly #db: Db;
  #rules = new Map<string, Rule>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(db: Db) {
    this.#db = db;
  }

  /** A changed definition never keeps an `allow`; a `deny` holds whatever the tool says of itself. */
  decide(tool: ToolIdentity): Decision {
    const row = this.#current().get(keyOf(tool.server, tool.tool));
    if (!row) return { rule: 'ask', changed: false };
    if (row.rule === 'allow' && row.fingerprint !== fingerprint(tool)) return { rule: 'ask', changed: true };
    return { rule: row.rule, changed: false };
  }

  set(tool: ToolIdentity, rule: ToolRule): void {
    if (rule === 'ask') {
      this.#change('DELETE FROM tool_rules WHERE server = ? AND tool = ?', tool.server, tool.tool);
      return;
    }
    this.#change(
      'INSERT OR REPLACE INTO tool_rules (server, tool, rule, fingerprint, since) VALUES (?, ?, ?, ?, ?)',
      ...[tool.server, tool.tool, rule, fingerprint(tool), Date.now()],
    );
  }

  /** Moves the rules of a renamed server. */
  renameServer(from: string, to: string): void {
    this.#change('UPDATE OR REPLACE tool_rules SET server = ? WHERE server = ?', to, from);
  }

  /** Forgets the rules of a removed server, so that a later one of the same name starts with none. */
  forgetServer(server: string): void {
    this.#change('DELETE FROM tool_rules WHERE server = ?', server);
  }

  #change(sql: string, ...values: (string | number)[]): void {
    this.#db.prepare(sql).run(...values);
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** All rules: a query for each call would cost more than the rest of the way to a local server. */
  #current(): ReadonlyMap<string, Rule> {
    if (performance.now() - this.#readAt < REREAD_MS) return this.#rules;
    const rows = this.#db.prepare('SELECT server, tool, rule, fingerprint FROM tool_rules').all() as (Rule & {
      server: string;
      tool: string;
    })[];
    this.#rules = new Map(rows.map(({ server, tool, ...rule }) => [keyOf(server, tool), rule]));
    this.#readAt = performance.now();
    return this.#rules;
  }
}

function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

const fingerprints = new WeakMap<ToolIdentity, string>();

/** Identities are never changed, only replaced. */
function fingerprint(tool: ToolIdentity): string {
  const known = fingerprints.get(tool);
  if (known !== undefined) return known;
  const { description, inputSchema, annotations } = tool;
  const made = createHash('sha256')
    .update(canonical({ description, inputSchema, annotations }))
    .digest('hex');
  fingerprints.set(tool, made);
  return made;
}

/** JSON with sorted keys: the order in which a server happens to write them does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
