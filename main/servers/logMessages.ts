import { type Client, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import type { LogLevel } from '../../shared/logs.ts';
import { messageOf } from './failures.ts';
import type { ServerLog } from './serverLog.ts';

/** Messages of one server that are kept in one second; a flood beyond that is only counted. */
const MOST_PER_SECOND = 200;

/** Writes a server's log messages into its log. */
export function hearLogMessages(client: Client, log: ServerLog): void {
  let second = 0;
  let heard = 0;
  client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      if (heard > MOST_PER_SECOND)
        log.note(`${heard - MOST_PER_SECOND} log messages that came within a second were left out.`);
      second = now;
      heard = 0;
    }
    heard += 1;
    if (heard > MOST_PER_SECOND) return;
    log.message(level, logger, typeof data === 'string' ? data : (JSON.stringify(data) ?? ''));
  });
}

/** Tells a legacy server which messages are wanted; a modern one is told with each request. */
export async function announceLogLevel(client: Client, log: ServerLog): Promise<void> {
  if (client.getProtocolEra() === 'modern' || !client.getServerCapabilities()?.logging) return;
  try {
    await client.setLoggingLevel(log.level);
  } catch (error) {
    log.note(`The server could not be told which log messages are wanted: ${messageOf(error)}`);
  }
}

/** What a request to a modern server carries so that it may send log messages about it. */
export function logLevelMeta(client: Client, level: LogLevel): { _meta?: Record<string, unknown> } {
  if (client.getProtocolEra() !== 'modern' || !client.getServerCapabilities()?.logging) return {};
  return { _meta: { [LOG_LEVEL_META_KEY]: level } };
}
