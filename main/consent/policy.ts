import type { RuleOrigin, ServerDefault, StandingRule, ToolDefinition } from '../../shared/rules.ts';
import type { ToolRule } from '../../shared/tools.ts';
import type { Db } from '../database.ts';
import { definitionOf, fingerprint, type ToolIdentity, toolKey } from './identity.ts';

/** Whose rule it is: the tool's own, its server's, or the server's about tools that say they only read. */
export type RuleSource = 'tool' | 'server' | 'readOnly';

export interface Decision {
  rule: ToolRule;
  /** Whose rule it is; absent: the person has given none that fits. */
  by?: RuleSource;
  /**
   * Asked although the person allowed it, because the tool is not the one that they allowed. What it was then, where
   * that is known.
   */
  changed?: { before?: ToolDefinition };
}

/** Another Parley may work on the same data: what was changed there counts after this time. */
const REREAD_MS = 1000;

type ToolRow = Extract<StandingRule, { scope: 'tool' }>;
type ServerRow = Omit<Extract<StandingRule, { scope: 'server' }>, 'allowReadOnly'> & {
  allowReadOnly: number;
};

interface Rules {
  tools: ReadonlyMap<string, { rule: ToolRule; fingerprint: string }>;
  servers: ReadonlyMap<string, ServerDefault>;
  /** The fingerprints of the tools that a server's rule was given for. */
  covered: ReadonlyMap<string, string>;
}

/**
 * The person's standing answers: allow, ask or deny for each tool, else for its server; `ask` unless they said
 * otherwise. What a server claims of its tools lowers no guard, unless the person chose that for this server. No
 * `allow` holds for a tool that is another one now; a `deny` does, whatever the tool says of itself.
 */
export class Policy {
  readonly #db: Db;
  #rules: Rules = { tools: new Map(), servers: new Map(), covered: new Map() };
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(db: Db) {
    this.#db = db;
  }

  decide(tool: ToolIdentity): Decision {
    const { tools, servers, covered } = this.#current();
    const own = tools.get(toolKey(tool));
    if (own)
      return own.rule === 'allow'
        ? this.#ifUnchanged(tool, own.fingerprint, 'tool')
        : { rule: own.rule, by: 'tool' };
    const server = servers.get(tool.server);
    if (!server) return { rule: 'ask' };
    if (server.rule === 'allow') return this.#ifUnchanged(tool, covered.get(toolKey(tool)), 'server');
    if (server.rule === 'ask' && server.allowReadOnly && tool.annotations?.readOnlyHint === true)
      return this.#ifUnchanged(tool, covered.get(toolKey(tool)), 'readOnly');
    return { rule: server.rule, by: 'server' };
  }

  /** The tool's own rule, if it has one. */
  ruleOf(tool: Pick<ToolIdentity, 'server' | 'tool'>): ToolRule | undefined {
    return this.#current().tools.get(toolKey(tool))?.rule;
  }

  /** @param tool as the person saw it */
  set(tool: ToolIdentity, rule: ToolRule, origin: RuleOrigin): void {
    this.#change(
      `INSERT OR REPLACE INTO tool_rules (server, tool, rule, fingerprint, definition, since, origin)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[tool.server, tool.tool, rule, fingerprint(tool), definitionText(tool), Date.now(), origin],
    );
  }

  /** From now on the default of its server holds for it. */
  revoke(server: string, tool: string): boolean {
    return this.#change('DELETE FROM tool_rules WHERE server = ? AND tool = ?', server, tool) > 0;
  }

  /** @param tools all that the server has now: what it allows, it allows for those only */
  setServer(
    server: string,
    { rule, allowReadOnly }: ServerDefault,
    origin: RuleOrigin,
    tools: readonly ToolIdentity[],
  ): void {
    this.#db.transaction(() => {
      this.#change('DELETE FROM server_rules WHERE server = ?', server);
      if (rule === 'ask' && !allowReadOnly) return;
      this.#change(
        'INSERT INTO server_rules (server, rule, allow_read_only, since, origin) VALUES (?, ?, ?, ?, ?)',
        ...[server, rule, Number(allowReadOnly), Date.now(), origin],
      );
      for (const tool of tools)
        this.#change(
          'INSERT INTO covered_tools (server, tool, fingerprint, definition) VALUES (?, ?, ?, ?)',
          ...[server, tool.tool, fingerprint(tool), definitionText(tool)],
        );
    })();
  }

  revokeServer(server: string): boolean {
    return this.#change('DELETE FROM server_rules WHERE server = ?', server) > 0;
  }

  /** Every standing answer, the newest first. */
  list(): StandingRule[] {
    const tools = this.#db
      .prepare(`SELECT 'tool' AS scope, server, tool, rule, since, origin FROM tool_rules`)
      .all() as ToolRow[];
    const servers = this.#db
      .prepare(
        `SELECT 'server' AS scope, server, rule, allow_read_only AS allowReadOnly, since, origin,
           (SELECT count(*) FROM covered_tools c WHERE c.server = s.server) AS covers FROM server_rules s`,
      )
      .all() as ServerRow[];
    return [
      ...tools.map(row => ({ ...row })),
      ...servers.map(row => ({ ...row, allowReadOnly: row.allowReadOnly === 1 })),
    ].sort((a, b) => b.since - a.since);
  }

  /** Moves the rules of a renamed server. */
  renameServer(from: string, to: string): void {
    this.#change('UPDATE OR REPLACE tool_rules SET server = ? WHERE server = ?', to, from);
    this.#change('UPDATE OR REPLACE server_rules SET server = ? WHERE server = ?', to, from);
  }

  /** Forgets the rules of a removed server, so that a later one of the same name starts with none. */
  forgetServer(server: string): void {
    this.#change('DELETE FROM tool_rules WHERE server = ?', server);
    this.#change('DELETE FROM server_rules WHERE server = ?', server);
  }

  #change(sql: string, ...values: (string | number)[]): number {
    this.#readAt = Number.NEGATIVE_INFINITY;
    return this.#db.prepare(sql).run(...values).changes;
  }

  /** @param seen as it was allowed; undefined: the tool came after the answer */
  #ifUnchanged(tool: ToolIdentity, seen: string | undefined, by: RuleSource): Decision {
    if (seen === fingerprint(tool)) return { rule: 'allow', by };
    const table = by === 'tool' ? 'tool_rules' : 'covered_tools';
    const row = this.#db
      .prepare(`SELECT definition FROM ${table} WHERE server = ? AND tool = ?`)
      .get(tool.server, tool.tool) as { definition: string | null } | undefined;
    return {
      rule: 'ask',
      changed: row?.definition ? { before: JSON.parse(row.definition) as ToolDefinition } : {},
    };
  }

  /** All rules: a query for each call would cost more than the rest of the way to a local server. */
  #current(): Rules {
    if (performance.now() - this.#readAt < REREAD_MS) return this.#rules;
    const all = <T>(sql: string) => this.#db.prepare(sql).all() as T[];
    type Row = { server: string; tool: string; fingerprint: string };
    this.#rules = {
      tools: new Map(
        all<Row & { rule: ToolRule }>('SELECT server, tool, rule, fingerprint FROM tool_rules').map(
          ({ rule, fingerprint, ...tool }) => [toolKey(tool), { rule, fingerprint }],
        ),
      ),
      covered: new Map(
        all<Row>('SELECT server, tool, fingerprint FROM covered_tools').map(row => [
          toolKey(row),
          row.fingerprint,
        ]),
      ),
      servers: new Map(
        all<{ server: string; rule: ToolRule; allow_read_only: number }>('SELECT * FROM server_rules').map(
          ({ server, rule, allow_read_only }) => [server, { rule, allowReadOnly: allow_read_only === 1 }],
        ),
      ),
    };
    this.#readAt = performance.now();
    return this.#rules;
  }
}

function definitionText(tool: ToolIdentity): string {
  return JSON.stringify(definitionOf(tool));
}
