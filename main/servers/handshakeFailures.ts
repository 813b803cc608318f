import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/client';
import { HostError } from '../../shared/errors.ts';
import type { Era } from '../../shared/servers.ts';

const HINT = 'Update the server, or Parley; or ask whoever makes the server.';

/**
 * Why a server that answered could not be agreed with; undefined for another failure.
 * @param pinned the only era that its entry lets Parley try
 */
export function explainHandshake(error: unknown, pinned: Era | undefined): HostError | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = { cause: error };
  const hint = pinned
    ? `It is held to the ${pinned} era: set “Protocol” to “Find out” under Edit if that is not sure.`
    : HINT;
  if (pinned === 'modern' && isWrongEra(error))
    return new HostError(
      'server.era',
      'The server did not answer as one of the modern era does (2026-07-28), which is the only one that may be tried.',
      hint,
      cause,
    );
  // The SDK has no class for it in the older era.
  const wanted = /^Server's protocol version is not supported: (.{1,40})/.exec(error.message)?.[1];
  if (wanted !== undefined || error instanceof UnsupportedProtocolVersionError)
    return new HostError(
      'server.version',
      `The server and Parley know no version of the protocol in common${wanted ? ` (it speaks ${wanted})` : ''}.`,
      hint,
      cause,
    );
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return new HostError(
      'server.notMcp',
      `What the server says of itself cannot be understood: ${oneLine(error.message)}`,
      hint,
      cause,
    );
  if (error instanceof ProtocolError)
    return new HostError(
      'server.refusal',
      `The server refused to begin: ${oneLine(error.message) || 'it did not say why'} (${error.code})`,
      hint,
      cause,
    );
  return undefined;
}

/** With a cause it is a failure on the way. */
function isWrongEra(error: Error): boolean {
  const isVerdict =
    error instanceof SdkError && !(error instanceof SdkHttpError) && error.cause === undefined;
  return isVerdict && error.code === SdkErrorCode.EraNegotiationFailed;
}

function oneLine(text: string): string {
  return text.slice(0, 1000).replace(/\s+/g, ' ').slice(0, 300);
}
