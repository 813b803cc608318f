import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/client';
import { HostError } from '../../shared/errors.ts';

const HINT = 'Update the server, or Parley; or ask whoever makes the server.';

/** Why a server that answered could not be agreed with; undefined for another failure. */
export function explainHandshake(error: unknown): HostError | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = { cause: error };
  // The SDK has no class for it in the older era.
  const wanted = /^Server's protocol version is not supported: (.{1,40})/.exec(error.message)?.[1];
  if (wanted !== undefined || error instanceof UnsupportedProtocolVersionError)
    return new HostError(
      'server.version',
      `The server and Parley know no version of the protocol in common${wanted ? ` (it speaks ${wanted})` : ''}.`,
      HINT,
      cause,
    );
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return new HostError(
      'server.notMcp',
      `What the server says of itself cannot be understood: ${oneLine(error.message)}`,
      HINT,
      cause,
    );
  if (error instanceof ProtocolError)
    return new HostError(
      'server.refusal',
      `The server refused to begin: ${oneLine(error.message) || 'it did not say why'} (${error.code})`,
      HINT,
      cause,
    );
  return undefined;
}

function oneLine(text: string): string {
  return text.slice(0, 1000).replace(/\s+/g, ' ').slice(0, 300);
}
