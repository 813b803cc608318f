import type { AnswerOf, AskOf } from '../../shared/asks.ts';
import { claimsOf } from '../../shared/claims.ts';
import { definitionDiff } from '../../shared/definitionDiff.ts';
import { fitsForm, readArguments } from '../../shared/editedArguments.ts';
import { parseFields } from '../../shared/elicitation.ts';
import type { JsonObject } from '../../shared/tools.ts';
import { choose, fillForm } from './form.ts';
import { paint } from './output.ts';
import { exact, indent, oneLine, printableJson } from './plainText.ts';
import type { Terminal } from './terminal.ts';

interface Asking {
  approve: 'ask' | 'all' | 'none';
  openTerminal: (() => Terminal) | undefined;
  signal: AbortSignal;
  note(text: string): void;
  declined(): void;
  runs(server: string): string;
}

const actions = { y: 'allow', c: 'allowInConversation', a: 'allowAlways', n: 'deny', s: 'stop' } as const;

/** May this tool run with these arguments? By the option, else by the person at the terminal. */
export async function approveCall(ask: AskOf<'approval'>, asking: Asking): Promise<AnswerOf<'approval'>> {
  const { approve, openTerminal, signal } = asking;
  if (approve === 'all') return { action: 'allow' };
  if (approve === 'none') return { action: 'deny' };
  if (!openTerminal) {
    asking.declined();
    asking.note(
      `Declined: ${oneLine(ask.server)} was to run ${oneLine(ask.tool)}, and there is no terminal to ask you on. ` +
        '--approve all allows tool calls.',
    );
    return { action: 'deny' };
  }
  const terminal = openTerminal();
  show(terminal, ask, asking.runs(ask.server));
  const inConversation = ask.conversationId === undefined ? '' : '  [c] in this conversation';
  const question = `  [y] once${inConversation}  [a] always  [e] edit  [n] no  [s] no, and stop: `;
  for (;;) {
    const letters = inConversation ? 'ycaens' : 'yaens';
    const letter = await choose(terminal, question, letters, signal, 'yca');
    if (letter !== 'e') return { action: actions[letter as keyof typeof actions] ?? 'stop' };
    const args = await edit(terminal, ask, signal);
    if (args) return { action: 'allow', args };
  }
}

function show(terminal: Terminal, ask: AskOf<'approval'>, runs: string): void {
  terminal.say('');
  terminal.say(`${paint('bold', 'May this tool run?')}  ${exact(ask.server)} · ${exact(ask.tool)}`);
  if (runs !== '') terminal.say(`  The server is: ${exact(runs)}`);
  if (ask.title !== undefined) terminal.say(`  ${oneLine(ask.title)}`);
  if (ask.description !== undefined) terminal.say(`  It says of itself: ${oneLine(ask.description, 500)}`);
  const claims = claimsOf(ask.annotations);
  if (claims.length > 0) terminal.say(`  The server says: ${claims.join(', ')}.`);
  if (ask.change) sayChange(terminal, ask.change);
  terminal.say(`  Arguments: ${indent(exact(printableJson(ask.args, 2)))}`);
}

/** A standing answer would allow it, but it is another tool now: in what. */
function sayChange(terminal: Terminal, { before, now }: NonNullable<AskOf<'approval'>['change']>): void {
  if (!before) {
    terminal.say('  ! It is not one of the tools that you allowed: it is new, or was another.');
    return;
  }
  terminal.say('  ! It has changed since you allowed it:');
  const marks = { same: ' ', added: '+', removed: '-' };
  for (const { part, parts } of definitionDiff(before, now)) {
    terminal.say(`    ${part}:`);
    for (const { kind, text } of parts)
      for (const line of text.trimEnd().split('\n')) terminal.say(`    ${marks[kind]} ${exact(line)}`);
  }
}

/** What is to be sent instead; undefined when the person thinks better of it. */
async function edit(
  terminal: Terminal,
  { inputSchema, args }: AskOf<'approval'>,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  if (fitsForm(inputSchema, args)) {
    const answer = await fillForm(terminal, parseFields(inputSchema), args, signal);
    return answer.action === 'accept' ? answer.content : undefined;
  }
  const text = await terminal.question('  Arguments as JSON, on one line (nothing: back): ', signal);
  if (text === undefined || text.trim() === '') return undefined;
  const read = readArguments(text);
  if ('args' in read) return read.args;
  terminal.say(`  ${read.problem}`);
  return undefined;
}
