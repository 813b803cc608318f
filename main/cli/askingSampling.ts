/** A server's prompts for the language model, and the answers, before they go out: only a person can let them. */
import type { AnswerOf, AskOf } from '../../shared/asks.ts';
import type { SamplingBlock } from '../../shared/sampling.ts';
import { choose } from './form.ts';
import { paint } from './output.ts';
import { exact, oneLine, printableJson } from './plainText.ts';
import type { Terminal } from './terminal.ts';

/** What of the asking these questions need. */
interface Reviewing {
  approve: 'ask' | 'all' | 'none';
  openTerminal: (() => Terminal) | undefined;
  signal: AbortSignal;
  declined(): void;
  note(text: string): void;
}

export async function reviewPrompt(ask: AskOf<'sampling'>, asking: Reviewing): Promise<AnswerOf<'sampling'>> {
  const { model, systemPrompt, messages, tools, hints, maxTokens } = ask;
  const lines = [
    `${paint('bold', `${exact(ask.server)} wants to ask the language model:`)}`,
    `Model: ${oneLine(model)}, at most ${maxTokens} tokens`,
    ...(hints.length > 0 ? [`It would like: ${oneLine(hints.join(', '))}`] : []),
    ...(systemPrompt === '' ? [] : [`System prompt: ${exact(systemPrompt)}`]),
    ...messages.flatMap(({ role, content }) => content.map(block => `${role}: ${inWords(block)}`)),
    ...tools.map(tool => `With a tool of its own: ${exact(printableJson(tool, 2))}`),
  ];
  const allowed = await agreeTo(lines, 'Send it to the model?', 'ask the language model', ask.server, asking);
  return allowed ? { action: 'allow', model, systemPrompt, messages, maxTokens } : { action: 'deny' };
}

export async function reviewCompletion(
  ask: AskOf<'samplingResult'>,
  asking: Reviewing,
): Promise<AnswerOf<'samplingResult'>> {
  const lines = [
    `${paint('bold', `${oneLine(ask.model)} answered ${exact(ask.server)}:`)}`,
    ...ask.content.map(inWords),
  ];
  const allowed = await agreeTo(
    lines,
    'Give it to the server?',
    "have the model's answer",
    ask.server,
    asking,
  );
  return allowed ? { action: 'allow', content: ask.content } : { action: 'deny' };
}

async function agreeTo(
  lines: string[],
  question: string,
  what: string,
  server: string,
  { approve, openTerminal, signal, declined, note }: Reviewing,
): Promise<boolean> {
  if (approve === 'none') return false;
  if (!openTerminal) {
    declined();
    note(
      `Declined: ${oneLine(server)} wants to ${what}, and there is no terminal to ask you on. No flag agrees to that.`,
    );
    return false;
  }
  const terminal = openTerminal();
  terminal.say('');
  for (const line of lines) terminal.say(line.replaceAll('\n', '\n  '));
  return (await choose(terminal, `  ${question} [y] yes  [n] no: `, 'yn', signal)) === 'y';
}

function inWords(block: SamplingBlock): string {
  if (block.type === 'text') return exact(String(block.text));
  if (typeof block.data !== 'string') return exact(printableJson(block, 2));
  return `(${oneLine(block.type)}, ${oneLine(String(block.mimeType))}, ${block.data.length} characters of base64)`;
}
