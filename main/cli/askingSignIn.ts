/** Sign-ins and missing secrets: the address is shown here, the browser is the person's. */
import { once } from 'node:events';
import { type AnswerOf, type AskOf, cancelAnswers } from '../../shared/asks.ts';
import { reviewLink } from '../../shared/linkReview.ts';
import { choose } from './form.ts';
import type { GivenAnswer } from './givenAnswer.ts';
import { paint } from './output.ts';
import { exact, oneLine } from './plainText.ts';
import type { Terminal } from './terminal.ts';

/** What of the asking these questions need. */
interface SigningIn {
  answer: GivenAnswer | undefined;
  /** The person agreed beforehand to plain text where nothing encrypts. */
  keep: boolean;
  openTerminal: (() => Terminal) | undefined;
  signal: AbortSignal;
  declined(): void;
  note(text: string): void;
}

export async function agreeToSignIn(ask: AskOf<'signIn'>, asking: SigningIn): Promise<AnswerOf<'signIn'>> {
  const { answer: given, keep, openTerminal, signal } = asking;
  const who = exact(ask.server);
  const { host, warnings, blocked } = reviewLink(ask.url);
  if (blocked !== undefined) {
    asking.declined();
    asking.note(`Not signed in: ${who} sends you to ${exact(ask.url)}. ${blocked}`);
    return cancelAnswers.signIn;
  }
  if (given !== undefined)
    return typeof given === 'string' ? cancelAnswers.signIn : { action: 'open', acceptPlain: keep };
  if (!openTerminal) {
    asking.declined();
    asking.note(
      `Not signed in: ${who} wants you to sign in on ${exact(host)}, and there is no terminal to ask you on. ` +
        "--answer '{}' agrees.",
    );
    return cancelAnswers.signIn;
  }
  const terminal = openTerminal();
  terminal.say('');
  terminal.say(`${paint('bold', `${who} wants ${ask.more ? 'more rights' : 'you to be signed in'}.`)}`);
  terminal.say(`  Server:      ${exact(ask.serverUrl)}`);
  terminal.say(`  Sign in on:  ${exact(host)}`);
  if (ask.scope !== undefined) terminal.say(`  It asks for: ${oneLine(ask.scope, 500)}`);
  for (const warning of warnings) terminal.say(`  ! ${warning}`);
  if (ask.canEncrypt || keep) {
    const letter = await choose(terminal, '  [y] show me the link  [n] no: ', 'yn', signal);
    return letter === 'y' ? { action: 'open', acceptPlain: keep } : cancelAnswers.signIn;
  }
  terminal.say(
    '  Here the sign-in ends with this command, unless it is kept in secrets.json without encryption.',
  );
  const question = '  [y] show me the link  [k] and keep the sign-in  [n] no: ';
  const letter = await choose(terminal, question, 'ykn', signal);
  return letter === 'y' || letter === 'k'
    ? { action: 'open', acceptPlain: letter === 'k' }
    : cancelAnswers.signIn;
}

/** Ends by itself when the browser has come back. */
export async function waitForBrowser(
  { server }: AskOf<'signInWaiting'>,
  { openTerminal, signal, note }: SigningIn,
): Promise<AnswerOf<'signInWaiting'>> {
  if (!openTerminal) {
    note(`Waiting for your browser to finish the sign-in to ${exact(server)}.`);
    await once(signal, 'abort');
    return cancelAnswers.signInWaiting;
  }
  const question = '  Waiting for your browser. [a] show the link again  [c] cancel: ';
  const letter = await choose(openTerminal(), question, 'ac', signal);
  return { action: letter === 'a' ? 'openAgain' : 'cancel' };
}

export async function giveSecret(ask: AskOf<'secret'>, asking: SigningIn): Promise<AnswerOf<'secret'>> {
  const { keep, openTerminal, signal } = asking;
  const about = `${exact(ask.server)} needs the secret “${oneLine(ask.name)}” (${oneLine(ask.usedFor)})`;
  if (!openTerminal) {
    asking.declined();
    asking.note(`${about}, and there is no terminal to ask you on.`);
    return cancelAnswers.secret;
  }
  const terminal = openTerminal();
  terminal.say('');
  terminal.say(`${about}.`);
  const value = await terminal.secret('  It is not shown while you type; nothing cancels: ', signal);
  if (!value) return cancelAnswers.secret;
  if (ask.canEncrypt || keep) return { action: 'give', value, acceptPlain: keep };
  const question = '  Keep it in secrets.json without encryption? [y] yes  [n] only for this command: ';
  return { action: 'give', value, acceptPlain: (await choose(terminal, question, 'yn', signal)) === 'y' };
}
