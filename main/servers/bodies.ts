import { HostError } from '../../shared/errors.ts';

/** The longest message from a server. The largest honest results seen in the field have some sixty million bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Why a longer one is not read. */
export const TOO_LONG = `it has more than ${MAX_MESSAGE_BYTES >> 20} MB`;
/** Of an answer that is an error, the words; nobody reads more than its beginning. */
const MAX_ERROR_BYTES = 64 * 1024;

/** The text of an answer. @throws HostError when it is longer than a message may be; the rest is not fetched then */
export async function readText(response: Response, host: string): Promise<string> {
  const { text, isCut } = await readStart(response, MAX_MESSAGE_BYTES);
  if (isCut) throw tooLarge(host);
  return text;
}

/** The same answer with no more than the beginning of its text. */
export async function withShortText(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const { text } = await readStart(response, MAX_ERROR_BYTES);
  return new Response(text === '' ? null : text, { status, statusText, headers });
}

/** An answer that was not read. */
export function tooLarge(who: string, why = TOO_LONG): HostError {
  return new HostError(
    'server.tooLarge',
    `The answer of ${who} was left out: ${why}.`,
    'What was asked may have been done. Ask for less at a time.',
  );
}

async function readStart(response: Response, maxBytes: number): Promise<{ text: string; isCut: boolean }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    size += part.length;
    // Leaving the loop ends the connection.
    if (size > maxBytes) break;
  }
  const text = new TextDecoder().decode(Buffer.concat(parts).subarray(0, maxBytes));
  return { text, isCut: size > maxBytes };
}
