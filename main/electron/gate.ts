import { z } from 'zod';
import { HostError, toErrorInfo } from '../../shared/errors.ts';
import { type Handlers, type Reply, type RequestName, requests } from '../../shared/ipc.ts';
import { APP_ORIGIN } from './origin.ts';

/** Who sent a request, as Electron tells it. */
export interface Sender {
  /** The URL of the frame that called; undefined when the frame is gone. */
  url: string | undefined;
  isMainFrame: boolean;
}

/**
 * The one gate between renderer and host: refuses strangers, unknown names and malformed input, and turns every
 * outcome into data. Errors that are not for people are reported through `onBug` and cross with their message only.
 */
export async function pass(
  handlers: Handlers,
  sender: Sender,
  name: unknown,
  input: unknown,
  onBug: (error: unknown) => void,
): Promise<Reply<unknown>> {
  try {
    if (!isOurPage(sender)) throw new HostError('ipc.sender', 'Only the Parley window may ask this.');
    if (!isRequestName(name)) throw new HostError('ipc.unknown', 'There is no such request.');
    const parsed = requests[name].input.safeParse(input);
    if (!parsed.success) throw new HostError('ipc.input', z.prettifyError(parsed.error));
    const handler = handlers[name] as (input: unknown) => Promise<unknown>;
    return { ok: true, value: await handler(parsed.data) };
  } catch (error) {
    if (!(error instanceof HostError)) onBug(error);
    return { ok: false, error: toErrorInfo(error) };
  }
}

function isOurPage(sender: Sender): boolean {
  if (!sender.isMainFrame || sender.url === undefined || !URL.canParse(sender.url)) return false;
  const { protocol, host } = new URL(sender.url);
  return `${protocol}//${host}` === APP_ORIGIN;
}

function isRequestName(name: unknown): name is RequestName {
  return typeof name === 'string' && Object.hasOwn(requests, name);
}
