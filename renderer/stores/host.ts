import { HostError } from '../../shared/errors.ts';
import type { Bridge, RequestInput, RequestName, RequestOutput } from '../../shared/ipc.ts';

declare global {
  interface Window {
    /** Put there by the preload script. */
    readonly parley: Bridge;
  }
}

type Arguments<N extends RequestName> = RequestInput<N> extends undefined ? [] : [input: RequestInput<N>];

/** Asks the host. @throws HostError with the host's own words when it refuses or fails. */
export async function request<N extends RequestName>(
  name: N,
  ...[input]: Arguments<N>
): Promise<RequestOutput<N>> {
  const reply = await window.parley.request(name, input as RequestInput<N>);
  if (reply.ok) return reply.value;
  const { code, message, hint } = reply.error;
  throw new HostError(code, message, hint);
}
