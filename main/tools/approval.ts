import { isDeepStrictEqual } from 'node:util';
import type { AnswerOf } from '../../shared/asks.ts';
import type { DecidedBy } from '../../shared/audit.ts';
import type { ToolCallBlock } from '../../shared/chat.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { Asks } from '../consent/asks.ts';
import type { AuditLog } from '../consent/audit.ts';
import type { ConversationGrants } from '../consent/conversationGrants.ts';
import { definitionOf, fingerprint } from '../consent/identity.ts';
import type { Decision, Policy } from '../consent/policy.ts';
import type { RegisteredTool, Registry } from './registry.ts';

export interface ApprovalDeps {
  registry: Registry;
  policy: Policy;
  grants: ConversationGrants;
  asks: Asks;
  audit: AuditLog;
}

interface Call {
  tool: RegisteredTool;
  callId: string;
  conversationId?: string;
  /** The person wrote this very call themselves: that is their approval. A `deny` rule still holds. */
  approved?: boolean;
  signal: AbortSignal;
  onUpdate(patch: Partial<ToolCallBlock>): void;
}

/** `args`: what the person wants sent instead. */
export type Approval =
  | { outcome: 'allowed'; args?: JsonObject }
  | { outcome: 'denied'; why: string }
  | { outcome: 'gone' }
  | { outcome: 'stop' };

/** Whether a call may run: by a standing answer of the person, else by asking them. */
export async function obtainApproval(deps: ApprovalDeps, call: Call, given: JsonObject): Promise<Approval> {
  const { conversationId } = call;
  let { tool } = call;
  let args = given;
  let decision = deps.policy.decide(tool.identity);
  for (;;) {
    const { info, identity } = tool;
    if (decision.rule === 'deny') {
      note(deps, call, 'deny', 'rule', args);
      return { outcome: 'denied', why: `A rule of the person forbids “${info.name}”.` };
    }
    const grant = deps.grants.allows(conversationId, identity);
    const by = grant ?? (decision.rule === 'allow' ? 'rule' : call.approved ? 'person' : undefined);
    if (by) {
      note(deps, call, 'allow', by, args);
      return ALLOWED;
    }
    call.onUpdate({ status: 'waiting' });
    const gone = whenGone(deps.registry, tool);
    const signal = AbortSignal.any([call.signal, gone.signal]);
    const check = (given: AnswerOf<'approval'>) =>
      'args' in given && given.args ? tool.check(given.args) : undefined;
    const answer = await deps.asks.ask(question(tool, decision, call, args), signal, check);
    gone.forget();
    if (gone.signal.aborted && !call.signal.aborted) return { outcome: 'gone' };
    if (answer.action === 'stop') return { outcome: 'stop' };
    if (answer.action === 'deny') return { outcome: 'denied', why: 'The person declined this call.' };
    args = answer.args ?? args;
    const now = deps.registry.find(info.server, info.name);
    if (now && fingerprint(now.identity) !== fingerprint(identity)) {
      // While the person read, the server made another tool of it: what they agreed to is not what would run.
      decision = { rule: 'ask', changed: { before: definitionOf(identity) } };
      tool = now;
      continue;
    }
    if (answer.action === 'allowAlways')
      deps.registry.setRule(info.server, info.name, 'allow', 'approval', identity);
    if (answer.action === 'allowInConversation' && conversationId !== undefined)
      deps.grants.allow(conversationId, identity);
    return isDeepStrictEqual(args, given) ? ALLOWED : { outcome: 'allowed', args };
  }
}

/** Fires when the tool is no longer there to be called: its server was switched off or removed, or dropped it. */
function whenGone(registry: Registry, { info }: RegisteredTool) {
  const gone = new AbortController();
  const forget = registry.onChange(() => {
    if (!registry.find(info.server, info.name)) gone.abort();
  });
  return { signal: gone.signal, forget };
}

/** Into the audit log: nobody is asked. */
function note(
  { audit }: ApprovalDeps,
  call: Call,
  decision: 'allow' | 'deny',
  by: DecidedBy,
  args: JsonObject,
) {
  const { tool, conversationId } = call;
  const { server, name } = tool.info;
  audit.decided({
    kind: 'approval',
    server,
    tool: name,
    ...(conversationId === undefined ? {} : { conversationId }),
    about: args,
    decision,
    by,
  });
}

const ALLOWED: Approval = { outcome: 'allowed' };

function question(
  { info, identity }: RegisteredTool,
  { changed }: Decision,
  { callId, conversationId }: Call,
  args: JsonObject,
) {
  return {
    kind: 'approval' as const,
    server: info.server,
    tool: info.name,
    callId,
    args,
    inputSchema: info.inputSchema,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(info.title ? { title: info.title } : {}),
    ...(info.description ? { description: info.description } : {}),
    ...(info.annotations ? { annotations: info.annotations } : {}),
    ...(changed ? { change: { ...changed, now: definitionOf(identity) } } : {}),
  };
}
