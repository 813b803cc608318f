import type { RequestOptions } from '@modelcontextprotocol/client';
import type { CallOptions } from './types.ts';

/**
 * Passes on what a server reports of its progress, but nothing that goes backwards: only growing numbers are progress.
 * `touch` hears of every report.
 * @see the progress page of the specification
 */
export function forwardProgress(
  touch: () => void,
  report: CallOptions['onProgress'],
): NonNullable<RequestOptions['onprogress']> {
  let reached = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message }) => {
    touch();
    // The SDK reports its own rounds of questions as progress. The server did not say that, and counts anew after it.
    if (message?.startsWith('Fulfilling input required by')) {
      reached = Number.NEGATIVE_INFINITY;
      return;
    }
    if (!(progress > reached)) return;
    reached = progress;
    report?.({
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  };
}
