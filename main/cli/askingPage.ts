/** Pages that a server sends the person to: the address is shown here, the browser is theirs. */
import { type AnswerOf, type AskOf, cancelAnswers } from '../../shared/asks.ts';
import { reviewLink } from '../../shared/linkReview.ts';
import { choose } from './form.ts';
import type { GivenAnswer } from './givenAnswer.ts';
import { paint } from './output.ts';
import { exact, indent } from './plainText.ts';
import type { Terminal } from './terminal.ts';

/** What of the asking these questions need. */
interface Visiting {
  answer: GivenAnswer | undefined;
  openTerminal: (() => Terminal) | undefined;
  signal: AbortSignal;
  declined(): void;
  note(text: string): void;
}

export async function agreeToVisit(
  ask: AskOf<'urlElicitation'>,
  asking: Visiting,
): Promise<AnswerOf<'urlElicitation'>> {
  const { answer: given, openTerminal, signal } = asking;
  const { before, host, after, warnings, blocked } = reviewLink(ask.url, ask.serverHost);
  const address = exact(`${before}${host}${after}`);
  const who = exact(ask.server);
  if (blocked !== undefined) {
    asking.declined();
    asking.note(`Declined: ${who} wants ${address} opened. ${blocked}`);
    return { action: 'decline' };
  }
  if (given !== undefined) return { action: typeof given === 'string' ? given : 'accept' };
  if (!openTerminal) {
    asking.declined();
    asking.note(
      `Declined: ${who} wants ${address} opened, and there is no terminal to ask you on. --answer '{}' agrees.`,
    );
    return { action: 'decline' };
  }
  const terminal = openTerminal();
  terminal.say('');
  terminal.say(`${paint('bold', `${who} wants a page opened:`)} ${indent(exact(ask.message))}`);
  if (ask.again) terminal.say('  ! You said that you had finished there; it is the same page again.');
  terminal.say(`  Site:    ${exact(host)}`);
  terminal.say(`  Address: ${address}`);
  for (const warning of warnings) terminal.say(`  ! ${warning}`);
  const question = '  [y] show me the link to open  [d] decline  [c] cancel: ';
  const letter = await choose(terminal, question, 'ydc', signal);
  return { action: letter === 'y' ? 'accept' : letter === 'd' ? 'decline' : 'cancel' };
}

/** Where nobody can say when it is done, the server is asked at once, which may wait by itself. */
export async function waitForVisit(
  _ask: AskOf<'urlWaiting'>,
  { answer: given, openTerminal, signal }: Visiting,
): Promise<AnswerOf<'urlWaiting'>> {
  if (typeof given === 'object' || !openTerminal) return { action: 'finished' };
  const question = '  [f] I have finished there  [a] show the link again  [c] cancel: ';
  const letter = await choose(openTerminal(), question, 'fac', signal);
  if (letter === undefined) return cancelAnswers.urlWaiting;
  return { action: letter === 'f' ? 'finished' : letter === 'a' ? 'openAgain' : 'cancel' };
}
