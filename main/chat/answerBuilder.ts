import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { Block } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import { JsonObject } from '../../shared/tools.ts';
import { CALL_CUT, type ModelEvent } from './model.ts';

interface Open {
  /** Our own number for the block, since the provider's may have gaps; an opaque block gets it when it is whole. */
  index: number;
  block: Block;
  /** The arguments so far, as raw JSON text. */
  json: string;
}

/** Turns the raw events of one streamed answer into blocks. Unknown events and deltas are skipped. */
export class AnswerBuilder {
  readonly #open = new Map<number, Open>();
  #nextIndex: number;
  #stopReason: string | null = null;
  #finished = false;

  constructor(firstIndex: number) {
    this.#nextIndex = firstIndex;
  }

  *take(event: RawMessageStreamEvent): Iterable<ModelEvent> {
    switch (event.type) {
      case 'content_block_start': {
        const block = begin(event.content_block);
        const open: Open = { index: block.type === 'opaque' ? -1 : this.#nextIndex++, block, json: '' };
        this.#open.set(event.index, open);
        if (block.type !== 'opaque')
          yield { type: 'block', index: open.index, block: structuredClone(block), done: false };
        return;
      }
      case 'content_block_delta': {
        const open = this.#open.get(event.index);
        if (open) yield* append(open, event.delta);
        return;
      }
      case 'content_block_stop':
        yield* this.#close(event.index);
        return;
      case 'message_delta':
        this.#stopReason = event.delta?.stop_reason ?? this.#stopReason;
        return;
      case 'message_stop':
        this.#finished = true;
        return;
      default:
        return;
    }
  }

  /**
   * The stream is over. Some endpoints leave out `message_stop`: a stop reason and no open block will do.
   * @throws HostError `model.cut` when the answer is not whole; what was open comes out first.
   */
  *end(): Iterable<ModelEvent> {
    const whole = this.#finished || (this.#stopReason !== null && this.#open.size === 0);
    yield* this.abandon();
    if (!whole) {
      throw new HostError('model.cut', 'The connection ended before the answer was complete.', 'Try again.');
    }
    yield { type: 'end', stopReason: this.#stopReason };
  }

  /** Gives out every unfinished block as far as it got: texts as they are, calls marked as cut. */
  *abandon(): Iterable<ModelEvent> {
    for (const providerIndex of [...this.#open.keys()]) yield* this.#close(providerIndex, true);
  }

  *#close(providerIndex: number, cut = false): Iterable<ModelEvent> {
    const open = this.#open.get(providerIndex);
    if (!open) return;
    this.#open.delete(providerIndex);
    const block = finish(open, cut);
    if (!block) return;
    const index = block.type === 'opaque' ? this.#nextIndex++ : open.index;
    yield { type: 'block', index, block, done: true };
  }
}

function begin(raw: { type: string }): Block {
  const start = raw as unknown as Record<string, unknown>;
  switch (raw.type) {
    case 'text':
      return { type: 'text', text: asText(start.text) };
    case 'thinking':
      return { type: 'thinking', text: asText(start.thinking), ...signed(start.signature) };
    case 'tool_use':
      return {
        type: 'toolCall',
        id: asText(start.id),
        modelName: asText(start.name),
        // Some endpoints send the whole input here and no deltas.
        input: JsonObject.safeParse(start.input).data ?? {},
        status: 'pending',
      };
    default:
      return { type: 'opaque', raw: start };
  }
}

function* append(open: Open, delta: { type: string }): Iterable<ModelEvent> {
  const { block, index } = open;
  const values = delta as unknown as Record<string, unknown>;
  if (delta.type === 'text_delta' && block.type === 'text') {
    const text = asText(values.text);
    block.text += text;
    yield { type: 'delta', index, kind: 'text', text };
  } else if (delta.type === 'thinking_delta' && block.type === 'thinking') {
    const text = asText(values.thinking);
    block.text += text;
    yield { type: 'delta', index, kind: 'thinking', text };
  } else if (delta.type === 'signature_delta' && block.type === 'thinking') {
    block.signature = (block.signature ?? '') + asText(values.signature);
  } else if (delta.type === 'input_json_delta') {
    const text = asText(values.partial_json);
    open.json += text;
    if (block.type === 'toolCall') yield { type: 'delta', index, kind: 'input', text };
  }
}

function finish({ block, json }: Open, cut: boolean): Block | undefined {
  if (block.type === 'toolCall') {
    const input = json.trim() === '' ? block.input : parseInput(json);
    if (input && !cut) return { ...block, input };
    const error = {
      code: CALL_CUT,
      message: 'The arguments of this call did not arrive whole, so it was not run.',
    };
    return { ...block, input: {}, status: 'failed', error };
  }
  if (block.type === 'opaque') {
    // Half a block that nobody can read is of no use to anybody.
    if (cut) return undefined;
    const input = json.trim() === '' ? undefined : parseInput(json);
    return input ? { ...block, raw: { ...block.raw, input } } : block;
  }
  if (block.type === 'thinking' && cut) return { type: 'thinking', text: block.text };
  return block;
}

/** Only what parses as sent counts: nothing is mended. */
function parseInput(json: string): JsonObject | undefined {
  try {
    return JsonObject.safeParse(JSON.parse(json)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function signed(signature: unknown): { signature?: string } {
  return typeof signature === 'string' && signature !== '' ? { signature } : {};
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
