import { isDeepStrictEqual } from 'node:util';
import { type ConversationSettings, isOnHere } from '../../shared/conversationSettings.ts';
import { HostError } from '../../shared/errors.ts';
import type { RuleOrigin, ServerDefault } from '../../shared/rules.ts';
import type { JsonObject, ToolInfo, ToolRule } from '../../shared/tools.ts';
import type { ToolIdentity } from '../consent/identity.ts';
import type { Policy } from '../consent/policy.ts';
import type { Db } from '../database.ts';
import type { Emit } from '../events.ts';
import type { ClientManager } from '../servers/clientManager.ts';
import type { ListedTool } from '../servers/types.ts';
import { ArgumentDecoder, type DecodedArguments } from './arguments.ts';
import { modelNameOf } from './names.ts';
import { convertSchema } from './schema.ts';

/** A tool as the LLM API takes it. */
export interface ModelTool {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

/** One tool with everything that is needed to offer, check and call it. */
export interface RegisteredTool {
  info: ToolInfo;
  listed: ListedTool;
  identity: ToolIdentity;
  forModel: ModelTool;
  /** The model's spelling of the arguments into what the server gets, checked against its own schema. */
  decode(input: JsonObject): DecodedArguments;
  /** What is wrong with arguments in the server's spelling, if anything. */
  check(args: JsonObject): string | undefined;
}

/**
 * Every server's tools as one list. The order is that of the servers file and then of names, and a tool looks the same
 * each time, so that the model's prompt cache survives reconnects.
 */
export class Registry {
  readonly #manager: ClientManager;
  readonly #policy: Policy;
  readonly #db: Db;
  readonly #emit: Emit;
  readonly #listeners = new Set<() => void>();
  readonly #stopListening: () => void;
  /** Conversions are kept as long as the server lists the very same definition. */
  readonly #converted = new WeakMap<ListedTool, Converted>();
  #tools = new Map<string, RegisteredTool>();

  constructor(deps: { manager: ClientManager; policy: Policy; db: Db; emit: Emit }) {
    this.#manager = deps.manager;
    this.#policy = deps.policy;
    this.#db = deps.db;
    this.#emit = deps.emit;
    this.#stopListening = this.#manager.onToolsChanged(() => this.#rebuild());
    this.#rebuild();
  }

  /** Every known tool, switched on or not. */
  list(): ToolInfo[] {
    return [...this.#tools.values()].map(tool => tool.info);
  }

  /** The tools that a model may use now in a conversation with these settings. */
  available(settings: ConversationSettings = {}): RegisteredTool[] {
    return [...this.#tools.values()].filter(({ info }) => info.enabled && isOnHere(settings, info));
  }

  resolve(modelName: string): RegisteredTool | undefined {
    return this.#tools.get(modelName);
  }

  find(server: string, tool: string): RegisteredTool | undefined {
    return [...this.#tools.values()].find(({ info }) => info.server === server && info.name === tool);
  }

  setEnabled(server: string, tool: string, enabled: boolean): void {
    this.#known(server, tool);
    const statement = enabled
      ? 'DELETE FROM disabled_tools WHERE server = ? AND tool = ?'
      : 'INSERT OR IGNORE INTO disabled_tools (server, tool) VALUES (?, ?)';
    this.#db.prepare(statement).run(server, tool);
    this.#rebuild();
  }

  /**
   * Gives a tool a rule of its own, or with `undefined` none.
   * @param seen the tool as the person saw it, where that may not be as it is now
   */
  setRule(
    server: string,
    tool: string,
    rule: ToolRule | undefined,
    origin: RuleOrigin,
    seen?: ToolIdentity,
  ): void {
    if (rule === undefined) this.#policy.revoke(server, tool);
    else this.#policy.set(seen ?? this.#known(server, tool).identity, rule, origin);
    this.#rulesChanged();
  }

  /** What holds for the tools of a server without a rule of their own; what it allows, for those that it has now. */
  setServerDefault(server: string, rule: ServerDefault, origin: RuleOrigin): void {
    const tools = [...this.#tools.values()].flatMap(({ identity }) =>
      identity.server === server ? identity : [],
    );
    this.#policy.setServer(server, rule, origin, tools);
    this.#rulesChanged();
  }

  /** A renamed server keeps its rules and switches. */
  renameServer(from: string, to: string): void {
    this.#policy.renameServer(from, to);
    this.#db.prepare('UPDATE OR REPLACE disabled_tools SET server = ? WHERE server = ?').run(to, from);
    this.#rulesChanged();
  }

  /** A removed server takes its rules and switches along. */
  forgetServer(server: string): void {
    this.#policy.forgetServer(server);
    this.#db.prepare('DELETE FROM disabled_tools WHERE server = ?').run(server);
    this.#rulesChanged();
  }

  /** Called after every change of the list. Returns the function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#stopListening();
    this.#listeners.clear();
  }

  #rulesChanged(): void {
    this.#emit('rules.changed', this.#policy.list());
    this.#rebuild();
  }

  #known(server: string, tool: string): RegisteredTool {
    const found = this.find(server, tool);
    if (!found)
      throw new HostError(
        'tool.unknown',
        `The server “${server}” has no tool “${tool}”.`,
        'See the list of tools on the Servers screen.',
      );
    return found;
  }

  #rebuild(): void {
    const before = [...this.#tools.values()];
    const off = this.#switchedOff();
    const tools = new Map<string, RegisteredTool>();
    for (const { name: server, state, tools: listed } of this.#manager.connections()) {
      if (state === 'off' || state === 'stopped') continue;
      for (const one of [...listed].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const tool = this.#register(server, one, !off.get(server)?.has(one.name));
        tools.set(tool.info.modelName, tool);
      }
    }
    this.#tools = tools;
    const now = [...tools.values()];
    const isSame = (tool: RegisteredTool, index: number) =>
      tool === before[index] || isDeepStrictEqual(tool.info, before[index]?.info);
    if (now.length === before.length && now.every(isSame)) return;
    this.#emit('tools.changed', this.list());
    for (const listener of [...this.#listeners]) listener();
  }

  /** The names of the tools that the person switched off, by server. */
  #switchedOff(): Map<string, Set<string>> {
    const rows = this.#db.prepare('SELECT server, tool FROM disabled_tools').all() as {
      server: string;
      tool: string;
    }[];
    const off = new Map<string, Set<string>>();
    for (const { server, tool } of rows) off.set(server, (off.get(server) ?? new Set()).add(tool));
    return off;
  }

  /** With every server that comes or goes all tools are looked at: those that are as they were are left alone. */
  #register(server: string, listed: ListedTool, switchedOn: boolean): RegisteredTool {
    let converted = this.#converted.get(listed);
    if (!converted) {
      converted = convert(server, listed);
      this.#converted.set(listed, converted);
    }
    const decision = this.#policy.decide(converted.identity);
    const standing = {
      enabled: switchedOn && converted.unusable === undefined,
      rule: decision.rule,
      ownRule: this.#policy.ruleOf(converted.identity),
      changed: decision.changed !== undefined,
    };
    if (!converted.tool || !isStill(converted.tool.info, standing))
      converted.tool = asRegistered(server, listed, converted, standing);
    return converted.tool;
  }
}

/** What the person's switches and rules make of a tool. */
type Standing = Pick<ToolInfo, 'enabled' | 'rule'> & { ownRule: ToolRule | undefined; changed: boolean };

function isStill(info: ToolInfo, { enabled, rule, ownRule, changed }: Standing): boolean {
  return (
    info.enabled === enabled &&
    info.rule === rule &&
    info.ownRule === ownRule &&
    (info.changed ?? false) === changed
  );
}

function asRegistered(
  server: string,
  listed: ListedTool,
  { identity, forModel, decoder, notes, unusable }: Converted,
  { enabled, rule, ownRule, changed }: Standing,
): RegisteredTool {
  const title = listed.title ?? listed.annotations?.title;
  const info: ToolInfo = {
    server,
    name: listed.name,
    modelName: forModel.name,
    ...(title ? { title } : {}),
    ...(listed.description ? { description: listed.description } : {}),
    inputSchema: listed.inputSchema,
    ...(listed.annotations ? { annotations: listed.annotations } : {}),
    ...(listed.icons ? { icons: listed.icons } : {}),
    enabled,
    rule,
    ...(ownRule ? { ownRule } : {}),
    ...(changed ? { changed } : {}),
    ...(unusable ? { unusable } : {}),
    notes,
  };
  return {
    info,
    listed,
    identity,
    forModel,
    decode: input => decoder.decode(input),
    check: args => decoder.check(args),
  };
}

interface Converted {
  identity: ToolIdentity;
  forModel: ModelTool;
  decoder: ArgumentDecoder;
  notes: string[];
  unusable: string | undefined;
  /** As it was registered last. */
  tool?: RegisteredTool;
}

function convert(server: string, listed: ListedTool): Converted {
  const schema = convertSchema(listed.inputSchema);
  const { name, description, inputSchema, annotations, problem } = listed;
  return {
    identity: { server, tool: name, description, inputSchema, annotations },
    forModel: {
      name: modelNameOf(server, name),
      description: [listed.title, description, ...schema.alternatives].filter(Boolean).join('\n') || name,
      inputSchema: schema.forModel,
    },
    decoder: new ArgumentDecoder(schema),
    notes: [...(problem ? [problem] : []), ...schema.notes],
    unusable: schema.unusable,
  };
}
