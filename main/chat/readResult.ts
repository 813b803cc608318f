/** The tool by which a model reads on in results that were too long for it. It reads what is stored and runs nothing. */
import { z } from 'zod';
import type { Message, ToolResult } from '../../shared/chat.ts';
import type { JsonObject } from '../../shared/tools.ts';
import type { ModelTool } from '../tools/registry.ts';
import { passageOf, placesOf, wholeText } from '../tools/resultCut.ts';
import { findCall } from './context.ts';
import { modelContentOf, READ_RESULT } from './contextResult.ts';

/** In every list of tools, not only after a cut: a tool that came later would cost the whole prompt cache. */
export const readResultTool: ModelTool = {
  name: READ_RESULT,
  description:
    'Reads more of a tool result of this conversation that says that a part of it is left out. Without a search it returns the characters from offset on; with one, the places where the words stand.',
  inputSchema: {
    type: 'object',
    properties: {
      call_id: { type: 'string', description: 'As the shortened result gives it.' },
      offset: { type: 'integer', minimum: 0, description: 'Where to begin, in characters. Default 0.' },
      length: { type: 'integer', minimum: 1, description: 'How many characters to read.' },
      search: { type: 'string', description: 'Words to look for from offset on, whatever their case.' },
    },
    required: ['call_id'],
    additionalProperties: false,
  },
};

/** What a person reads on its card. */
export const READ_RESULT_TITLE = 'Read more of a result';

const Input = z.object({
  call_id: z.string(),
  offset: z.coerce.number().int().nonnegative().default(0),
  length: z.coerce.number().int().positive().optional(),
  search: z.string().optional(),
});

const MOST_PLACES = 20;
const AROUND = 200;
/** Of the limit; the rest is for the words around it. */
const MOST_AT_ONCE = 0.9;

/** `limit`: how many characters the model is given of one result. */
export function readResult(messages: readonly Message[], input: JsonObject, limit: number): ToolResult {
  const parsed = Input.safeParse(input);
  if (!parsed.success) return failed(z.prettifyError(parsed.error));
  const { call_id, offset, length, search } = parsed.data;
  const call = findCall(messages, call_id);
  const content = call && call.modelName !== READ_RESULT ? modelContentOf(call) : undefined;
  if (!content)
    return failed(`There is no result of a call ${JSON.stringify(call_id)} in this conversation.`);
  const text = wholeText(content);
  if (offset >= text.length)
    return failed(`The result has ${text.length} characters; there is nothing from ${offset} on.`);
  const most = Math.floor(limit * MOST_AT_ONCE);
  if (search?.trim()) return said(found(text, search, offset, most));
  const passage = passageOf(text, offset, Math.min(length ?? most, most));
  return said(`(characters ${offset} to ${offset + passage.length} of ${text.length})\n${passage}`);
}

function found(text: string, words: string, from: number, most: number): string {
  const around = Math.min(AROUND, Math.floor(most / MOST_PLACES / 4));
  const { places, count } = placesOf(text, words, { most: MOST_PLACES, around, from });
  const where = from === 0 ? '' : ` from ${from} on`;
  if (count === 0) return `(${JSON.stringify(words)} does not occur${where})`;
  const shown = count > places.length ? `; the first ${places.length} follow` : '';
  const head = `(${JSON.stringify(words)} occurs ${count} times${where}${shown})`;
  return passageOf(
    [head, ...places.map(({ offset, excerpt }) => `at ${offset}: …${excerpt}…`)].join('\n'),
    0,
    most,
  );
}

function said(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}

function failed(text: string): ToolResult {
  return { ...said(text), isError: true };
}
