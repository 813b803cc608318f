import type { Transport } from '@modelcontextprotocol/client';
import type { ServerLog } from './serverLog.ts';

/** In one second; nobody reads faster. Each costs the SDK some work, which a million of them would make a minute. */
const MOST_PER_SECOND = 500;
/** What may be left out: the next one says as much. Everything else is heard. */
const OPTIONAL = ['notifications/progress', 'notifications/message'];

/** Leaves out what a flood of progress and log messages of one server has too many; how many, is in its log. */
export function limitNews(transport: Transport, log: ServerLog): void {
  const { onmessage } = transport;
  let second = 0;
  let heard = 0;
  transport.onmessage = (message, extra) => {
    if ('method' in message && OPTIONAL.includes(message.method)) {
      const now = Math.floor(Date.now() / 1000);
      if (now !== second) {
        if (heard > MOST_PER_SECOND)
          log.note(
            `${heard - MOST_PER_SECOND} reports of progress and log messages that came within a second were left out.`,
          );
        second = now;
        heard = 0;
      }
      if (++heard > MOST_PER_SECOND) return;
    }
    onmessage?.(message, extra);
  };
}
