import { HostError } from '../../shared/errors.ts';
import type { PromptInfo, PromptResult, TextArguments } from '../../shared/offers.ts';
import { unwrapItem } from './carried.ts';
import { unwrapContent } from './content.ts';
import { isObject } from './objects.ts';
import type { Operation } from './operation.ts';
import type { CallOptions } from './types.ts';

/**
 * The fetching of a prompt. Empty arguments are not sent.
 * @throws HostError `prompt.arguments` when a required argument is missing or one is unknown
 */
export function promptGet(
  name: string,
  listed: PromptInfo | undefined,
  values: TextArguments,
  options: CallOptions,
): Operation<PromptResult> {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  if (listed) checkArguments(listed, given);
  return {
    what: name,
    options,
    async send({ client }, request, meta) {
      const result = await client.getPrompt({ name, arguments: given, ...meta }, request);
      return {
        ...(result.description ? { description: result.description } : {}),
        messages: result.messages.map(understandMessage),
      };
    },
  };
}

function checkArguments({ name, arguments: known }: PromptInfo, given: TextArguments): void {
  const missing = known.filter(one => one.required && !Object.hasOwn(given, one.name));
  const unknown = Object.keys(given).filter(key => !known.some(one => one.name === key));
  const problems = [
    ...missing.map(one => `“${one.name}” is missing`),
    ...unknown.map(key => `there is no “${key}”`),
  ];
  if (problems.length === 0) return;
  throw new HostError(
    'prompt.arguments',
    `The arguments of “${name}” do not fit: ${problems.join(', ')}.`,
    known.length === 0
      ? 'It takes no arguments.'
      : `It takes: ${known.map(one => `${one.name}${one.required ? '' : ' (optional)'}`).join(', ')}`,
  );
}

function understandMessage(item: { role: string; content: object }): PromptResult['messages'][number] {
  const inside = unwrapItem(item.content);
  // One that the SDK does not know came through it in place of its content.
  const original = inside === item.content ? item : inside;
  const { role, content } = isObject(original) ? original : { role: 'user', content: original };
  const [part] = unwrapContent([content]);
  return { role: role === 'assistant' ? 'assistant' : 'user', content: part ?? { type: 'text', text: '' } };
}
