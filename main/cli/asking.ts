/** Answers the host's questions: by the flags, else by the person at the terminal, else by declining. */
import { type AnswerOf, type Ask, type AskKind, type AskOf, cancelAnswers } from '../../shared/asks.ts';
import { announcement } from '../../shared/askWords.ts';
import type { DecidedBy } from '../../shared/audit.ts';
import { parseFields } from '../../shared/elicitation.ts';
import { readForm } from '../../shared/elicitationForm.ts';
import { HostError } from '../../shared/errors.ts';
import type { Host } from '../host.ts';
import { approveCall } from './askingApproval.ts';
import { declineFlood } from './askingFlood.ts';
import { agreeToVisit, waitForVisit } from './askingPage.ts';
import { reviewCompletion, reviewPrompt } from './askingSampling.ts';
import { agreeToSignIn, giveSecret, waitForBrowser } from './askingSignIn.ts';
import { choose, fillForm } from './form.ts';
import { answerForm, type GivenAnswer } from './givenAnswer.ts';
import { paint } from './output.ts';
import { exact, indent, oneLine, printableJson } from './plainText.ts';
import type { Terminal } from './terminal.ts';

export type ApproveFlag = 'ask' | 'all' | 'none';

export interface AskingOptions {
  approve: ApproveFlag;
  answer: GivenAnswer | undefined;
  /** The person agreed beforehand that sign-ins and secrets are kept in plain text where nothing encrypts. */
  keep: boolean;
  /** Absent: nobody can be asked. */
  openTerminal: (() => Terminal) | undefined;
  note(text: string): void;
  /** What stands behind the name of a server: its command, or its address. */
  runs(server: string): string;
  /** Declines what the server asks there, now and from now on. */
  mute(server: string, conversationId: string | undefined): void;
}

/** Answers every open question of the host, and from now on every new one, one after the other. */
export function answerAsks(host: Pick<Host, 'events' | 'asks'>, options: AskingOptions) {
  const open = new Map<string, AbortController>();
  let unanswered = 0;
  let queue = Promise.resolve();
  const patient = new Set<string>();

  /** Until an answer is taken; one that was given beforehand stays the same, and cancels if it is not. */
  const handle = async (ask: Ask, signal: AbortSignal) => {
    if (options.answer === undefined) await declineFlood(ask, host.asks, { ...options, signal, patient });
    while (!signal.aborted) {
      const isGiven = ask.kind === 'approval' ? options.approve !== 'ask' : options.answer !== undefined;
      let by: DecidedBy = isGiven ? 'option' : 'person';
      const declined = () => {
        unanswered++;
        by = 'nobody';
      };
      const answer = await answerTo(ask, { ...options, signal, declined });
      if (signal.aborted) return;
      try {
        return host.asks.answer(ask.id, answer, by);
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
        options.note(exact(error.message));
        if (options.answer === undefined && options.openTerminal) continue;
        unanswered++;
        return host.asks.answer(ask.id, cancelAnswers[ask.kind], by);
      }
    }
  };
  const enqueue = (ask: Ask) => {
    const gone = new AbortController();
    open.set(ask.id, gone);
    queue = queue.then(() => handle(ask, gone.signal));
  };
  const stop = host.events.on(event => {
    if (event.name === 'ask.closed') {
      open.get(event.payload.id)?.abort();
      open.delete(event.payload.id);
    } else if (event.name === 'ask.opened') enqueue(event.payload);
  });
  // A server that starts with the host may have asked already.
  for (const ask of host.asks.pending()) enqueue(ask);
  return {
    /** How many questions were declined because there was nobody to ask. */
    get unanswered() {
      return unanswered;
    },
    stop,
  };
}

interface Asking extends AskingOptions {
  signal: AbortSignal;
  declined(): void;
}

function answerTo(ask: Ask, asking: Asking): Promise<AnswerOf<AskKind>> | AnswerOf<AskKind> {
  switch (ask.kind) {
    case 'approval':
      return approveCall(ask, asking);
    case 'elicitation':
    case 'arguments':
      return fill(ask, asking);
    case 'urlElicitation':
      return agreeToVisit(ask, asking);
    case 'urlWaiting':
      return waitForVisit(ask, asking);
    case 'sampling':
      return reviewPrompt(ask, asking);
    case 'samplingResult':
      return reviewCompletion(ask, asking);
    case 'signIn':
      return agreeToSignIn(ask, asking);
    case 'signInWaiting':
      return waitForBrowser(ask, asking);
    case 'secret':
      return giveSecret(ask, asking);
    case 'keepWaiting':
      return keepWaiting(ask, asking);
  }
}

/** Where nobody can be asked, the call ends as if nobody had answered. */
async function keepWaiting(
  ask: AskOf<'keepWaiting'>,
  { openTerminal, signal }: Asking,
): Promise<AnswerOf<'keepWaiting'>> {
  if (!openTerminal) return cancelAnswers.keepWaiting;
  const terminal = openTerminal();
  terminal.say('');
  terminal.say(exact(announcement(ask)));
  const letter = await choose(terminal, '  [k] keep waiting  [s] stop the call: ', 'ks', signal);
  return { action: letter === 'k' ? 'keepWaiting' : 'stop' };
}

async function fill(
  ask: AskOf<'elicitation'> | AskOf<'arguments'>,
  asking: Asking,
): Promise<AnswerOf<'elicitation'> | AnswerOf<'arguments'>> {
  const { answer: given, openTerminal, signal } = asking;
  const who = ask.kind === 'elicitation' ? `${exact(ask.server)} asks` : `${exact(ask.tool)} needs more`;
  const known = ask.kind === 'arguments' ? ask.values : {};
  const form =
    ask.kind === 'elicitation' ? readForm(ask.schema) : { fields: parseFields(ask.schema), leftOut: [] };
  const message = ask.kind === 'elicitation' ? exact(ask.message) : oneLine(ask.title ?? ask.tool);
  if (given !== undefined) {
    const { answer, problems } = answerForm(given, form.fields, known);
    for (const problem of problems) asking.note(`--answer does not fit what ${who}: ${exact(problem)}`);
    if (problems.length > 0) asking.declined();
    return forKind(ask.kind, answer);
  }
  if (!openTerminal) {
    asking.declined();
    asking.note(
      `Declined: ${who}: ${oneLine(message)} There is no terminal to ask you on. --answer JSON answers; ` +
        `the question's schema: ${printableJson(ask.schema)}`,
    );
    return forKind(ask.kind, { action: 'decline' });
  }
  const terminal = openTerminal();
  terminal.say('');
  terminal.say(`${paint('bold', `${who}:`)} ${indent(message)}`);
  for (const { title } of form.leftOut)
    terminal.say(`  (“${oneLine(title)}” cannot be asked in a form and is left out.)`);
  return forKind(ask.kind, await fillForm(terminal, form.fields, known, signal));
}

/** Parley's own question for arguments knows no decline: not answering is cancelling. */
function forKind(kind: 'elicitation' | 'arguments', answer: AnswerOf<'elicitation'>) {
  return kind === 'arguments' && answer.action === 'decline' ? cancelAnswers.arguments : answer;
}
