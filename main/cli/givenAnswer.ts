/** The answer of `--answer`, for questions that no person is there to answer. */
import { type Field, initialValues, toContent, validateAll } from '../../shared/elicitation.ts';
import { HostError } from '../../shared/errors.ts';
import { JsonObject } from '../../shared/tools.ts';
import type { FormAnswer } from './form.ts';

export type GivenAnswer = { content: JsonObject } | 'decline' | 'cancel';

/** @throws HostError `cli.answer` */
export function parseGivenAnswer(text: string): GivenAnswer {
  if (text === 'decline' || text === 'cancel') return text;
  const content = parseJsonObject(text);
  if (content) return { content };
  throw new HostError(
    'cli.answer',
    '--answer is neither a JSON object nor decline nor cancel.',
    `For example: --answer '{"name":"Ada"}'`,
  );
}

/** The JSON object in `text`, if that is what it holds. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    return JsonObject.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Fills a form with the given answer and the form's own defaults; what does not fit is said and cancels. */
export function answerForm(
  given: GivenAnswer,
  fields: readonly Field[],
  known: JsonObject,
): { answer: FormAnswer; problems: string[] } {
  if (typeof given === 'string') return { answer: { action: given }, problems: [] };
  const values = initialValues(fields, { ...known, ...given.content });
  const content = toContent(fields, values);
  const problems = fields.flatMap(field => {
    const isLost = Object.hasOwn(given.content, field.name) && !Object.hasOwn(content, field.name);
    const problem = validateAll([field], values)[field.name];
    return problem !== undefined || isLost ? [`${field.name}: ${problem ?? 'This value does not fit.'}`] : [];
  });
  return { answer: problems.length > 0 ? { action: 'cancel' } : { action: 'accept', content }, problems };
}
