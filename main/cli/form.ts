/** A question with fields, asked one by one in a terminal. */
import {
  type Field,
  type FieldValue,
  initialValues,
  toContent,
  validateField,
  valueIn,
} from '../../shared/elicitation.ts';
import { limitsOf } from '../../shared/fieldLimits.ts';
import { asksForSecret } from '../../shared/secretFields.ts';
import type { JsonObject } from '../../shared/tools.ts';
import { exact, oneLine, printableJson } from './plainText.ts';
import type { Terminal } from './terminal.ts';

export type FormAnswer =
  | { action: 'accept'; content: JsonObject }
  | { action: 'decline' }
  | { action: 'cancel' };

/** Asks for every field, shows what would be sent, and sends nothing without a yes. */
export async function fillForm(
  terminal: Terminal,
  fields: readonly Field[],
  known: JsonObject,
  signal: AbortSignal,
): Promise<FormAnswer> {
  let values = initialValues(fields, known);
  if (fields.length > 0) {
    terminal.say(
      '  Enter keeps what is in [brackets]; - leaves a field empty; /decline or /cancel ends the question.',
    );
    if (fields.some(({ kind }) => kind === 'string'))
      terminal.say('  A text of several lines is written as JSON: "one\\ntwo".');
  }
  for (;;) {
    for (const field of fields) {
      const answer = await askField(terminal, field, valueIn(values, field.name), signal);
      if ('action' in answer) return answer;
      values = { ...values, [field.name]: answer.value };
    }
    const content = toContent(fields, values);
    terminal.say(`  To be sent: ${exact(printableJson(content))}`);
    const decision = await choose(
      terminal,
      '  Send? [y] yes  [e] edit  [d] decline  [c] cancel: ',
      'yedc',
      signal,
    );
    if (decision === 'y') return { action: 'accept', content };
    if (decision === 'd') return { action: 'decline' };
    if (decision !== 'e') return { action: 'cancel' };
  }
}

/**
 * Asks until one of the letters is typed, alone or as the start of a word; undefined when nobody answers.
 * @param agreeing the letters that let something happen: those are not taken in the question's first moment
 */
export async function choose(
  terminal: Terminal,
  question: string,
  letters: string,
  signal: AbortSignal,
  agreeing = 'y',
): Promise<string | undefined> {
  const isTooEarly = terminal.appears();
  for (;;) {
    const answer = (await terminal.question(question, signal))?.trim().toLowerCase();
    if (answer === undefined) return undefined;
    // A sentence is meant for somebody else.
    const letter = /\s/.test(answer) ? '' : answer.charAt(0);
    if (letter === '' || !letters.includes(letter)) continue;
    if (!agreeing.includes(letter) || !isTooEarly()) return letter;
    terminal.say('  That came too fast to be an answer to this.');
  }
}

type FieldAnswer = { value: FieldValue } | { action: 'decline' } | { action: 'cancel' };

async function askField(
  terminal: Terminal,
  field: Field,
  current: FieldValue,
  signal: AbortSignal,
): Promise<FieldAnswer> {
  terminal.say(`  ${oneLine(field.title)}${field.required ? ' (required)' : ''}`);
  if (field.description !== undefined) terminal.say(`    ${oneLine(field.description)}`);
  const limits = limitsOf(field);
  if (limits !== undefined) terminal.say(`    ${limits}`);
  if (asksForSecret(field)) {
    terminal.say(
      '    ! This looks like a question for a secret. Servers must not ask for passwords, keys, card numbers or PINs',
    );
    terminal.say(
      '    ! in a form: they, and whoever they pass it on to, see what you type. Do not enter a real one.',
    );
  }
  field.options.forEach((option, index) => {
    const more = option.description === undefined ? '' : `: ${oneLine(option.description)}`;
    terminal.say(`    ${index + 1}) ${oneLine(option.title)}${more}`);
  });
  for (;;) {
    const typed = await terminal.question(`    ${hintFor(field)}${shown(field, current)}: `, signal);
    if (typed === undefined || typed.trim() === '/cancel') return { action: 'cancel' };
    if (typed.trim() === '/decline') return { action: 'decline' };
    const value = typed.trim() === '' ? current : read(field, typed.trim());
    const problem = value === unreadable ? unreadableHint[field.kind] : validateField(field, value);
    if (problem === undefined) return { value: value as FieldValue };
    terminal.say(`    ${oneLine(problem)}`);
  }
}

const unreadable = Symbol('unreadable');

const unreadableHint: Partial<Record<Field['kind'], string>> = {
  boolean: 'Please answer y or n.',
  select: 'Please type the number of an answer.',
  multiselect: 'Please type the numbers of the answers, with commas between them.',
};

/** What was typed as the value of a field. */
function read(field: Field, typed: string): FieldValue | typeof unreadable {
  if (typed === '-') return field.kind === 'multiselect' ? [] : field.kind === 'boolean' ? undefined : '';
  switch (field.kind) {
    case 'boolean':
      return /^(y|yes|true)$/i.test(typed) ? true : /^(n|no|false)$/i.test(typed) ? false : unreadable;
    case 'select':
      return optionKey(field, typed) ?? unreadable;
    case 'multiselect': {
      const keys = optionKeys(field, typed);
      // In the order of the options, each once, as in the window.
      return keys ? field.options.map(({ key }) => key).filter(key => keys.includes(key)) : unreadable;
    }
    case 'string':
      return unquoted(typed);
    default:
      return typed;
  }
}

/** What a line cannot hold, such as a line break, can be written as a JSON string. */
function unquoted(typed: string): string {
  if (!typed.startsWith('"')) return typed;
  try {
    const text: unknown = JSON.parse(typed);
    return typeof text === 'string' ? text : typed;
  } catch (error) {
    if (error instanceof SyntaxError) return typed;
    throw error;
  }
}

/** One title may hold commas itself. */
function optionKeys(field: Field, typed: string): string[] | undefined {
  const whole = optionKey(field, typed);
  if (whole !== undefined) return [whole];
  const keys = typed.split(',').map(part => optionKey(field, part.trim()));
  return keys.every(key => key !== undefined) ? keys : undefined;
}

/** The option of that number, title or value. */
function optionKey(field: Field, typed: string): string | undefined {
  return (
    field.options[Number(typed) - 1] ??
    field.options.find(option => option.title === typed || option.value === typed)
  )?.key;
}

function hintFor(field: Field): string {
  switch (field.kind) {
    case 'boolean':
      return 'y/n';
    case 'select':
      return 'number';
    case 'multiselect':
      return 'numbers, with commas';
    case 'number':
      return 'a number';
    case 'integer':
      return 'a whole number';
    case 'text-format':
      return { date: 'YYYY-MM-DD', 'date-time': 'YYYY-MM-DDTHH:MM', email: 'e-mail', uri: 'address' }[
        field.constraints.format ?? 'uri'
      ];
    case 'unsupported':
      return 'JSON';
    default:
      return 'text';
  }
}

/** The value that Enter keeps. */
function shown(field: Field, value: FieldValue): string {
  const titles = (keys: readonly string[]) =>
    keys.map(key => field.options.find(option => option.key === key)?.title ?? key).join(', ');
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return '';
  if (typeof value === 'boolean') return ` [${value ? 'y' : 'n'}]`;
  if (Array.isArray(value)) return ` [${oneLine(titles(value))}]`;
  return ` [${oneLine(field.kind === 'select' ? titles([value]) : value)}]`;
}
