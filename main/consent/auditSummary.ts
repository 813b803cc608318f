import { isDeepStrictEqual } from 'node:util';
import type { Answer, Ask } from '../../shared/asks.ts';

/**
 * What a question was about, for the audit log; with an answer, what it became by that. What a person writes into a
 * form, a prompt or a field for a secret is theirs: it is not kept.
 */
export function aboutOf(ask: Ask, answer?: Answer): unknown {
  switch (ask.kind) {
    case 'approval': {
      const args = answer && 'args' in answer ? answer.args : undefined;
      return args ?? ask.args;
    }
    case 'elicitation':
      return ask.message;
    case 'urlElicitation':
      return `${ask.url} ${ask.message}`;
    case 'arguments':
      return ask.values;
    case 'sampling':
      return `${ask.messages.length} messages for ${ask.model}, at most ${ask.maxTokens} tokens`;
    case 'samplingResult':
      return `an answer of ${ask.model}`;
    case 'urlWaiting':
    case 'signIn':
    case 'signInWaiting':
      return ask.url;
    case 'secret':
      return ask.name;
    case 'keepWaiting':
      return `no answer of ${ask.tool} for ${ask.silentMs} ms`;
  }
}

/** Whether the person changed what was asked about before they agreed. */
export function isEdited(ask: Ask, answer: Answer): boolean {
  if (ask.kind === 'approval')
    return 'args' in answer && !isDeepStrictEqual(answer.args ?? ask.args, ask.args);
  if (ask.kind === 'sampling' && answer.action === 'allow' && 'maxTokens' in answer)
    return !isDeepStrictEqual(
      [answer.model, answer.systemPrompt, answer.messages, answer.maxTokens],
      [ask.model, ask.systemPrompt, ask.messages, ask.maxTokens],
    );
  if (ask.kind === 'samplingResult' && answer.action === 'allow' && 'content' in answer)
    return !isDeepStrictEqual(answer.content, ask.content);
  return false;
}
