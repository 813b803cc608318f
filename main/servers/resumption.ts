type RequestId = string | number;

/** Where the streams of the running requests have come to, so that one that is cut can be resumed, or ended in words. */
export class Resumption {
  /** The newest event of each request that has not been answered yet. */
  readonly #reached = new Map<RequestId, string>();

  reached(request: RequestId, event: string): void {
    this.#reached.set(request, event);
  }

  answered(request: RequestId): void {
    this.#reached.delete(request);
  }

  /** The request whose stream came to this event. Event ids are unique in a session. */
  requestAt(event: string | null): RequestId | undefined {
    for (const [request, newest] of this.#reached) if (newest === event) return request;
    return undefined;
  }
}

/** The answer to a request whose stream was cut and cannot be resumed, as an event: nothing else would end it. */
export function cutEvent(request: RequestId): string {
  const error = { code: -32000, message: 'The connection was cut before the answer came.' };
  return `data: ${JSON.stringify({ jsonrpc: '2.0', id: request, error })}\n\n`;
}
