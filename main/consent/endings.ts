import type { DecidedBy } from '../../shared/audit.ts';
import { HostError } from '../../shared/errors.ts';
import { QUIT } from '../quit.ts';

/** The person stopped what somebody was waiting for. */
export const STOPPED = new DOMException('Stopped by the person.', 'AbortError');

/** Why a question ended whose signal fired, by the reason of that. */
export function endedBy(reason: unknown): DecidedBy {
  if (reason === QUIT) return 'quit';
  if (reason === STOPPED) return 'stop';
  if (reason instanceof HostError) return byCode[reason.code] ?? 'withdrawn';
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'timeOut' : 'withdrawn';
}

/** How the call ended that the question belonged to. */
const byCode: Record<string, DecidedBy> = {
  'call.cancelled': 'stop',
  'call.timeout': 'timeOut',
  'call.left': 'quit',
};
