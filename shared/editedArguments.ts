import { canonicalJson } from './canonicalJson.ts';
import { initialValues, parseFields, toContent } from './elicitation.ts';
import { JsonObject } from './tools.ts';

/** Whether a form of the schema's fields holds all of the arguments and gives them back unchanged. */
export function fitsForm(schema: JsonObject, args: JsonObject): boolean {
  const fields = parseFields(schema);
  return (
    fields.length > 0 && canonicalJson(toContent(fields, initialValues(fields, args))) === canonicalJson(args)
  );
}

/** Arguments as they were typed, or what is wrong with the text. */
export function readArguments(text: string): { args: JsonObject } | { problem: string } {
  try {
    const { data } = JsonObject.safeParse(JSON.parse(text));
    return data ? { args: data } : { problem: 'The arguments must be one JSON object: {"name": value, …}' };
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` };
  }
}
