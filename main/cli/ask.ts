/** The command `ask`: one message, one answer. */
import { HostError } from '../../shared/errors.ts';
import { sumUsage, usageInWords } from '../../shared/usageSum.ts';
import { runTurn, succeeded } from './runTurn.ts';
import type { GlobalOptions, Session } from './session.ts';
import { showAnswer } from './show.ts';
import { TurnPrinter } from './turnPrinter.ts';
import { serversSettled } from './waiting.ts';

/** Sends the text in a new conversation and prints the answer: as it comes for a person, at the end for a program. */
export async function ask(session: Session, text: string, options: GlobalOptions): Promise<number> {
  if (text.trim() === '')
    throw new HostError('cli.text', 'There is nothing to ask.', 'parley ask "add 19 and 23"');
  const { host, output, signal } = session;
  await serversSettled(session);
  const conversation = host.conversations.create();
  host.events.on(new TurnPrinter(output, conversation.id, { text: output.live }).hear);

  const messages = await runTurn(host, conversation.id, turns => turns.send(conversation.id, text), signal);
  const last = messages.at(-1);
  const answer = showAnswer(last);
  const { model } = host.model.status();
  const usage = sumUsage(messages, host.settings.get().prices);
  const worked = succeeded(messages, model) && session.unanswered() === 0;
  output.result(
    { conversationId: conversation.id, model, answer, stopReason: last?.stopReason ?? null, worked, usage },
    output.live ? '' : answer,
  );
  if (options.usage) output.note(usageInWords(usage));
  return worked ? 0 : 1;
}
