import type { Block } from '../../shared/chat.ts';
import type { HostEvent } from '../../shared/ipc.ts';
import type { Output } from './output.ts';
import { oneLine, printable } from './plainText.ts';
import { showCall, showNotice } from './show.ts';

/**
 * Prints one conversation as it goes on: the model's text as it streams (if wanted), a line for each step of a call,
 * and every notice.
 */
export class TurnPrinter {
  readonly #output: Output;
  readonly #conversationId: string;
  /** How much of each text block is printed, by message and index. */
  readonly #printed = new Map<string, number>();
  readonly #said = new Map<string, string>();
  readonly #wantsText: boolean;
  #atLineStart = true;

  constructor(output: Output, conversationId: string, { text }: { text: boolean }) {
    this.#output = output;
    this.#conversationId = conversationId;
    this.#wantsText = text;
  }

  readonly hear = (event: HostEvent): void => {
    const { payload } = event;
    if (typeof payload !== 'object' || !('conversationId' in payload)) return;
    if (payload.conversationId !== this.#conversationId) return;
    if (event.name === 'block.delta' && event.payload.kind === 'text') {
      const { messageId, index, text } = event.payload;
      this.#append(`${messageId}/${index}`, text);
    } else if (event.name === 'block.changed') {
      this.#block(`${event.payload.messageId}/${event.payload.index}`, event.payload.block);
    } else if (event.name === 'message.changed' && event.payload.role === 'assistant') {
      for (const [index, block] of event.payload.blocks.entries())
        this.#block(`${event.payload.id}/${index}`, block);
    } else if (event.name === 'turn.changed') {
      const { phase, retry } = event.payload;
      if (phase === 'retrying' && retry)
        this.#line(`… ${oneLine(retry.reason)}; trying again (${retry.attempt})`);
      if (phase === 'idle') this.#endLine();
    }
  };

  #block(key: string, block: Block): void {
    if (block.type === 'text') {
      this.#append(key, block.text.slice(this.#printed.get(key) ?? 0));
    } else if (block.type === 'toolCall') {
      const line = showCall(block);
      if (line !== undefined && this.#isNew(key, line)) this.#line(line);
    } else if (block.type === 'summary' && this.#isNew(key, block.text)) {
      this.#endLine();
      this.#output.note('Earlier messages were summarised.');
    } else if (block.type === 'notice' && this.#isNew(key, block.message)) {
      this.#endLine();
      if (block.level === 'error') this.#output.error(block);
      else this.#output.note(showNotice(block));
    }
  }

  #isNew(key: string, line: string): boolean {
    const isNew = this.#said.get(key) !== line;
    this.#said.set(key, line);
    return isNew;
  }

  #append(key: string, text: string): void {
    if (text === '' || !this.#wantsText) return;
    // Each text begins on a line of its own.
    if (!this.#printed.has(key)) this.#endLine();
    this.#printed.set(key, (this.#printed.get(key) ?? 0) + text.length);
    this.#output.write(printable(text));
    this.#atLineStart = text.endsWith('\n');
  }

  #line(text: string): void {
    this.#endLine();
    this.#output.activity(text);
  }

  #endLine(): void {
    if (!this.#atLineStart) this.#output.write('\n');
    this.#atLineStart = true;
  }
}
