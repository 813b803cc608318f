/**
 * The browser of the tests: opens a page and follows where it leads, as the page of a real authorization server that
 * knows its visitor would. The way ends at the address that Parley listens on.
 */
export async function visit(url: string): Promise<void> {
  const response = await fetch(url);
  await response.body?.cancel();
}
