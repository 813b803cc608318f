/** A question with fields, asked one by one in a terminal. */
import {
  asksForSecret,
  type Field,
  type FieldValue,
  initialValues,
  parseFields,
  toContent,
  validateField,
  valueIn,
} from '../../shared/elicitation.ts';
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
  schema: JsonObject,
  known: JsonObject,
  signal: AbortSignal,
): Promise<FormAnswer> {
  const fields = parseFields(schema);
  let values = initialValues(fields, known);
  if (fields.length > 0) {
    terminal.say(
      '  Enter keeps what is in [brackets]; - leaves a field empty; /decline or /cancel ends the question.',
    );
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

/** Asks until one of the letters is typed, alone or as the start of a word; undefined when nobody answers. */
export async function choose(
  terminal: Terminal,
  question: string,
  letters: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    const answer = await terminal.question(question, signal);
    if (answer === undefined) return undefined;
    const letter = answer.trim().toLowerCase().charAt(0);
    if (letter !== '' && letters.includes(letter)) return letter;
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
  if (asksForSecret(field)) {
    terminal.say(
      '    This seems to ask for a password or key. The server will see what you type, and so may others.',
    );
  }
  field.options.forEach((option, index) => {
    terminal.say(`    ${index + 1}) ${oneLine(option.title)}`);
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
      const keys = typed.split(',').map(part => optionKey(field, part.trim()));
      return keys.every(key => key !== undefined) ? keys : unreadable;
    }
    default:
      return typed;
  }
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
