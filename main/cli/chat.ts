/** The command `chat`: a conversation at the terminal, or with lines from a pipe. */
import { GUIDE } from '../../shared/settings.ts';
import type { ToolInfo } from '../../shared/tools.ts';
import { sumUsage, usageInWords } from '../../shared/usageSum.ts';
import { oneLine } from './plainText.ts';
import { runTurn, succeeded } from './runTurn.ts';
import type { GlobalOptions, Session } from './session.ts';
import { showAnswer } from './show.ts';
import type { Terminal } from './terminal.ts';
import { TurnPrinter } from './turnPrinter.ts';
import { serversSettled } from './waiting.ts';

const help = `/stop or Ctrl-C stops the answer, /tools lists the tools, /exit or Ctrl-D leaves.`;

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
      const messages = await runTurn(host, conversation.id, line, signal);
      if (options.usage) output.note(usageInWords(sumUsage(messages, host.settings.get().prices)));
      worked = succeeded(messages, host.model.status().model) && worked;
      if (output.json) output.event('answer', { text: showAnswer(messages.at(-1)) });
    }
  }
  worked &&= session.unanswered() === 0;
  output.result({ conversationId: conversation.id, model, worked }, '');
  return worked || process.stdin.isTTY ? 0 : 1;
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
