import { type Ask, declineAnswers } from '../../shared/asks.ts';
import type { Asks } from '../consent/asks.ts';
import { choose } from './form.ts';
import { exact } from './plainText.ts';
import type { Terminal } from './terminal.ts';

/** From how many questions of one server on a person is offered to be rid of them at once. */
const FLOOD = 3;

interface Flooded {
  openTerminal: (() => Terminal) | undefined;
  signal: AbortSignal;
  mute(server: string, conversationId: string | undefined): void;
  /** The servers and conversations whose questions the person wants one by one. */
  patient: Set<string>;
}

/** When a server asks much at once, offers to decline all of it, now or from now on. `ask` may have ended by that. */
export async function declineFlood(
  { kind, server, conversationId }: Ask,
  asks: Asks,
  { openTerminal, signal, mute, patient }: Flooded,
): Promise<void> {
  const about = JSON.stringify([server, conversationId]);
  const count = asks
    .pending()
    .filter(
      other =>
        declineAnswers[other.kind] && other.server === server && other.conversationId === conversationId,
    ).length;
  if (!openTerminal || !declineAnswers[kind] || count < FLOOD || patient.has(about) || signal.aborted) return;
  const question = `  ${exact(server)} has ${count} questions. [o] one by one  [d] decline all  [m] decline all, and mute it: `;
  const letter = await choose(openTerminal(), question, 'odm', signal);
  if (letter === 'd') asks.declineAll(server, conversationId);
  else if (letter === 'm') mute(server, conversationId);
  else patient.add(about);
}
