import type { TrafficDirection, TrafficKind } from '../../shared/traffic.ts';
import { withShortText } from './bodies.ts';
import { isObject } from './objects.ts';
import { isMessage } from './rpc.ts';
import { type KeptMessage, ownCopy, type Traffic } from './traffic.ts';

/** Requests that are never answered, such as cancelled ones, are not waited for without end. */
const MAX_OPEN = 1000;
/** A server may choose names and ids of any length; those that are longer are kept as their beginning. */
const MAX_NAME_LENGTH = 1000;

/**
 * Where a transport tells what it sends and receives, before any repair. One for each session: ids begin anew with it.
 * Nothing is done while nothing is recorded.
 */
export class WireTap {
  readonly #traffic: Traffic;
  /** By direction and id, the requests that have not been answered. */
  readonly #open = { sent: new Map<string, OpenRequest>(), received: new Map<string, OpenRequest>() };

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  /** @param json the message of that text, where it is at hand */
  sent(text: string, json?: unknown): void {
    if (this.#traffic.isRecording) this.#take('sent', text, json ?? parse(text));
  }

  /**
   * @param json what the text holds: a message, or several
   * @param isPart the text is a part of a larger one, which must not be held in memory for it
   */
  received(text: string, json: unknown, isPart = false): void {
    if (this.#traffic.isRecording) this.#take('received', isPart ? ownCopy(text) : text, json);
  }

  /** What came over HTTP in answer to the message of `request`, with an error status or without being a message. */
  refused(request: string, status: number, text: string): void {
    if (!this.#traffic.isRecording) return;
    const { id, method } = factsOf(parse(request)) ?? {};
    if (method !== undefined) this.#keep({ direction: 'received', kind: 'error', method, id, status }, text);
  }

  #take(direction: TrafficDirection, text: string, json: unknown): void {
    if (Array.isArray(json)) for (const item of json) this.#takeOne(direction, textOf(item), item);
    else this.#takeOne(direction, text, json);
  }

  #takeOne(direction: TrafficDirection, text: string, json: unknown): void {
    const facts = factsOf(json);
    if (facts) this.#keep({ direction, ...facts }, text);
  }

  #keep({ direction, kind, method, id, status }: Facts, text: string): void {
    const now = performance.now();
    const open = this.#open[(kind === 'request') === (direction === 'sent') ? 'sent' : 'received'];
    const key = id === undefined ? undefined : short(String(id));
    const request = kind === 'request' || key === undefined ? undefined : open.get(key);
    const durationMs = request && now - request.now;
    const kept: KeptMessage = {
      number: 0,
      at: Date.now(),
      direction,
      kind,
      method: method === undefined ? request?.kept.method : short(method),
      id: typeof id === 'number' ? id : key,
      answers: request?.kept.number,
      durationMs,
      status,
      text,
      bytes: undefined,
    };
    this.#traffic.keep(kept);
    if (key === undefined) return;
    if (request) {
      request.kept.durationMs = durationMs;
      open.delete(key);
    } else if (kind === 'request') {
      open.set(key, { kept, now });
      if (open.size > MAX_OPEN) open.delete(open.keys().next().value as string);
    }
  }
}

/** An answer with an error status, with no more than the beginning of its text, which the tap is told. */
export async function shortRefusal(response: Response, request: string, tap: WireTap): Promise<Response> {
  const refusal = await withShortText(response);
  tap.refused(request, refusal.status, await refusal.clone().text());
  return refusal;
}

interface OpenRequest {
  kept: KeptMessage;
  now: number;
}

interface Facts {
  direction: TrafficDirection;
  kind: TrafficKind;
  method?: string | undefined;
  id?: string | number | undefined;
  status?: number;
}

/** What a message is; undefined for what is none. Nothing of it may be of the type that it should. */
function factsOf(json: unknown): Omit<Facts, 'direction'> | undefined {
  if (!isObject(json) || !isMessage(json)) return undefined;
  const { id: given, method, error }: Record<string, unknown> = json;
  const id = typeof given === 'string' || typeof given === 'number' ? given : undefined;
  if (typeof method !== 'string') return { kind: error == null ? 'response' : 'error', id };
  return 'id' in json ? { kind: 'request', method, id } : { kind: 'notification', method };
}

/** One of several messages that came in one text, as only old servers send them. */
function textOf(message: unknown): string {
  try {
    return JSON.stringify(message);
  } catch {
    return ''; // Nested too deep to be written, though it could be read.
  }
}

function short(name: string): string {
  return name.length > MAX_NAME_LENGTH ? ownCopy(name.slice(0, MAX_NAME_LENGTH)) : name;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // No message, such as the form of a sign-in.
  }
}
