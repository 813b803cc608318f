/** The command `chat`: a conversation at the terminal, or with lines from a pipe. */
import type { Message } from '../../shared/chat.ts';
import { HostError, toErrorInfo } from '../../shared/errors.ts';
import { GUIDE } from '../../shared/settings.ts';
import type { ToolInfo } from '../../shared/tools.ts';
import { sumUsage, usageInWords } from '../../shared/usageSum.ts';
import type { Host } from '../host.ts';
import { oneLine } from './plainText.ts';
import { runTurn, succeeded } from './runTurn.ts';
import type { GlobalOptions, Session } from './session.ts';
import { showAnswer } from './show.ts';
import type { Terminal } from './terminal.ts';
import { TurnPrinter } from './turnPrinter.ts';
import { serversSettled } from './waiting.ts';

const help =
  '/stop or Ctrl-C stops the answer, /continue goes on with it, /retry has it written again, /edit TEXT asks differently, /tools lists the tools, /exit or Ctrl-D leaves.';

/** Each line is a message; the next one waits until the answer is complete. Ends with the input or with /exit. */
export async function chat(session: Session, options: GlobalOptions): Promise<number> {
  const { host, output, signal } = session;
  const terminal = session.openTerminal();
  const conversation = host.conversations.create();
  const isRunning = () => host.turns.states().some(state => state.conversationId === conversation.id);
  const stopTurn = () => {
    if (!isRunning()) return false;
    void host.turns.stop(conversation.id);
    return true;
  };
  session.onInterrupt(stopTurn);
  const lines = new Lines(terminal, signal, line => {
    if (line === '/stop') stopTurn();
    return line === '/stop';
  });

  await serversSettled(session);
  host.events.on(new TurnPrinter(output, conversation.id, { text: true }).hear);
  const { model } = host.model.status();
  output.activity(`${model === GUIDE ? 'Guide: no language model.' : model} ${help}`);

  let worked = true;
  for (;;) {
    if (process.stdin.isTTY) terminal.prompt('> ');
    const line = await lines.next();
    if (line === undefined || line === '/exit' || line === '/quit') break;
    if (line === '') continue;
    if (line === '/help') output.note(help);
    else if (line === '/tools') output.note(host.registry.list().map(showName).join('\n'));
    else {
      const messages = await answersTo(line, session, conversation.id);
      if (options.usage) output.note(usageInWords(sumUsage(messages, host.settings.get().prices)));
      worked = succeeded(messages, host.model.status().model) && worked;
      if (output.json) output.event('answer', { text: showAnswer(messages.at(-1)) });
    }
  }
  worked &&= session.unanswered() === 0;
  output.result({ conversationId: conversation.id, model, worked }, '');
  return worked || process.stdin.isTTY ? 0 : 1;
}

/** What was answered to a line; nothing where there is nothing to take up again. */
async function answersTo(
  line: string,
  { host, output, signal }: Session,
  conversationId: string,
): Promise<Message[]> {
  try {
    return await runTurn(host, conversationId, turnFor(line, host, conversationId), signal);
  } catch (error) {
    if (!(error instanceof HostError && error.code === 'chat.nothing')) throw error;
    output.error(toErrorInfo(error));
    return [];
  }
}

/** What a line asks for: most are messages; some take up again what was said last. */
function turnFor(line: string, host: Host, conversationId: string): (turns: Host['turns']) => Promise<void> {
  const edited = /^\/edit\s+(.+)$/s.exec(line)?.[1];
  if (line === '/continue') return turns => turns.resume(conversationId);
  if (line !== '/retry' && edited === undefined) return turns => turns.send(conversationId, line);
  const last = host.conversations.messages(conversationId).findLast(({ role }) => role === 'user');
  if (!last) throw new HostError('chat.nothing', 'Nothing has been said here yet.', 'Write a message.');
  return turns =>
    edited === undefined
      ? turns.regenerate(conversationId, last.id)
      : turns.edit(conversationId, last.id, edited);
}

function showName({ server, name, title }: ToolInfo): string {
  return oneLine(`/${server} ${name}${title === undefined ? '' : `  ${title}`}`);
}

/** What was typed and not yet read. Lines that arrive while nobody reads wait, except those taken by `intercept`. */
class Lines {
  readonly #waiting: string[] = [];
  #hasEnded = false;
  #wake: (() => void) | undefined;

  constructor(terminal: Terminal, signal: AbortSignal, intercept: (line: string) => boolean) {
    const end = () => {
      this.#hasEnded = true;
      this.#wake?.();
    };
    terminal.onLine(typed => {
      const line = typed.trim();
      if (intercept(line)) return;
      this.#waiting.push(line);
      this.#wake?.();
    });
    terminal.onEnd(end);
    signal.addEventListener('abort', end);
  }

  /** The next line, or undefined at the end of the input. */
  async next(): Promise<string | undefined> {
    while (this.#waiting.length === 0 && !this.#hasEnded) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
    return this.#waiting.shift();
  }
}
