import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { Block } from '../../shared/chat.ts';
import { HostError } from '../../shared/errors.ts';
import { JsonObject } from '../../shared/tools.ts';
import type { Usage } from '../../shared/usage.ts';
import { CALL_CUT, type ModelEvent } from './model.ts';

interface Open {
  /** Our own number for the block, since the provider's may have gaps; an opaque block gets it when it is whole. */
  index: number;
  block: Block;
  /** The arguments so far, as raw JSON text. */
  json: string;
  /** Something of it came in a way that we do not understand. */
  garbled: boolean;
}

/**
 * Turns the raw events of one streamed answer into blocks. Unknown events and deltas are skipped: endpoints of all
 * makers send all sorts of things, and none of it may end as a fault of ours.
 */
export class AnswerBuilder {
  readonly #open = new Map<number, Open>();
  #nextIndex: number;
  #stopReason: string | null = null;
  #finished = false;
  #usage: Usage | undefined;

  constructor(firstIndex: number) {
    this.#nextIndex = firstIndex;
  }

  *take(event: RawMessageStreamEvent): Iterable<ModelEvent> {
    switch (event?.type) {
      case 'message_start':
        this.#count(event.message?.usage);
        return;
      case 'content_block_start': {
        const start = JsonObject.safeParse(event.content_block).data;
        if (!start) return;
        // One that was never closed must not be taken for whole.
        yield* this.#close(event.index, true);
        const block = begin(start);
        const index = block.type === 'opaque' ? -1 : this.#nextIndex++;
        this.#open.set(event.index, { index, block, json: '', garbled: false });
        if (block.type !== 'opaque')
          yield { type: 'block', index, block: structuredClone(block), done: false };
        return;
      }
      case 'content_block_delta': {
        const open = this.#open.get(event.index);
        const delta = JsonObject.safeParse(event.delta).data;
        if (open && delta) yield* append(open, delta);
        return;
      }
      case 'content_block_stop':
        yield* this.#close(event.index);
        return;
      case 'message_delta': {
        const reason: unknown = event.delta?.stop_reason;
        if (typeof reason === 'string') this.#stopReason = reason;
        this.#count(event.usage);
        return;
      }
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

  /** Gives out every unfinished block as far as it got, texts as they are, calls marked as cut, and what was counted. */
  *abandon(): Iterable<ModelEvent> {
    for (const providerIndex of [...this.#open.keys()]) yield* this.#close(providerIndex, true);
    if (this.#usage) yield { type: 'usage', usage: this.#usage };
  }

  /** The counts of one answer only grow; some endpoints know those of the prompt only at the end. */
  #count(counts: unknown): void {
    const counted = JsonObject.safeParse(counts).data;
    if (!counted) return;
    const grown = (name: string, before = 0) => {
      const value = counted[name];
      return typeof value === 'number' && value > before ? Math.round(value) : before;
    };
    this.#usage = {
      input: grown('input_tokens', this.#usage?.input),
      cacheRead: grown('cache_read_input_tokens', this.#usage?.cacheRead),
      cacheWrite: grown('cache_creation_input_tokens', this.#usage?.cacheWrite),
      output: grown('output_tokens', this.#usage?.output),
    };
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

function begin(start: JsonObject): Block {
  switch (start.type) {
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

function* append(open: Open, delta: JsonObject): Iterable<ModelEvent> {
  const { block, index } = open;
  if (delta.type === 'text_delta' && block.type === 'text') {
    const text = asText(delta.text);
    block.text += text;
    yield { type: 'delta', index, kind: 'text', text };
  } else if (delta.type === 'thinking_delta' && block.type === 'thinking') {
    const text = asText(delta.thinking);
    block.text += text;
    yield { type: 'delta', index, kind: 'thinking', text };
  } else if (delta.type === 'signature_delta' && block.type === 'thinking') {
    block.signature = (block.signature ?? '') + asText(delta.signature);
  } else if (delta.type === 'input_json_delta') {
    const text = asText(delta.partial_json);
    open.json += text;
    if (block.type === 'toolCall') yield { type: 'delta', index, kind: 'input', text };
  } else {
    open.garbled = true;
  }
}

function finish({ block, json, garbled }: Open, cut: boolean): Block | undefined {
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
    // It goes back as it came or not at all: half of one is of no use to anybody.
    if (cut || garbled) return undefined;
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
