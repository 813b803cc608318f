/** The type of an answer without parameters, and in lower case; empty when none is given. */
export function mediaType(response: Response): string {
  return response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
