import type { Host } from '../../main/host.ts';
import type { Answer, Ask } from '../../shared/asks.ts';
import { type Field, initialValues, parseFields, toContent } from '../../shared/elicitation.ts';
import type { JsonObject } from '../../shared/tools.ts';

/** Agrees to whatever is asked; forms are sent with what they hold already, and an example where they must. */
export function agree(host: Host, ask: Ask): void {
  const answer = answerTo(ask);
  if (answer) host.asks.answer(ask.id, answer);
}

function answerTo(ask: Ask): Answer | undefined {
  switch (ask.kind) {
    case 'approval':
      return { action: 'allow' };
    case 'elicitation':
      return { action: 'accept', content: fillIn(ask.schema) };
    case 'arguments':
      return { action: 'accept', content: fillIn(ask.schema, ask.values) };
    case 'urlElicitation':
      return { action: 'accept' };
    case 'urlWaiting':
      return { action: 'finished' };
    case 'sampling': {
      const { model, systemPrompt, messages, maxTokens } = ask;
      return { action: 'allow', model, systemPrompt, messages, maxTokens };
    }
    case 'samplingResult':
      return { action: 'allow', content: ask.content };
    case 'signIn':
      return { action: 'open', acceptPlain: false };
    // Both end by themselves: the browser comes back, and no entry here refers to a secret.
    case 'signInWaiting':
    case 'secret':
      return undefined;
  }
}

function fillIn(schema: JsonObject, known: JsonObject = {}): JsonObject {
  const fields = parseFields(schema);
  const content = toContent(fields, initialValues(fields, known));
  const missing = fields.filter(({ name, required }) => required && !Object.hasOwn(content, name));
  return { ...content, ...Object.fromEntries(missing.map(field => [field.name, exampleOf(field)])) };
}

function exampleOf(field: Field): unknown {
  switch (field.kind) {
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'unsupported':
      return {};
    default:
      return 'example';
  }
}
