/** `${env:NAME}` and `${secret:NAME}` in the values of servers.json. */

const REFERENCE = /\$\{(env|secret):([A-Za-z_][A-Za-z0-9_.-]{0,99})\}/g;
const ONLY_REFERENCE =
  /^(([Bb]earer|[Bb]asic|[Tt]oken|[Aa]pi-?[Kk]ey|[Kk]ey) )?\$\{(env|secret):[A-Za-z_][A-Za-z0-9_.-]{0,99}\}$/;

export interface Reference {
  kind: 'env' | 'secret';
  name: string;
}

/** In the order in which they stand, each once. */
export function referencesIn(text: string): Reference[] {
  const found = [...text.matchAll(REFERENCE)].map(([, kind, name]) => ({ kind, name }) as Reference);
  return found.filter(
    (one, index) => found.findIndex(({ kind, name }) => kind === one.kind && name === one.name) === index,
  );
}

/** The text with each reference replaced by what `value` gives for it. */
export function replaceReferences(text: string, value: (reference: Reference) => string): string {
  return text.replace(REFERENCE, (_whole, kind: Reference['kind'], name: string) => value({ kind, name }));
}

/** It holds a reference, perhaps after a well-known scheme such as `Bearer`, and nothing that could be a secret. */
export function isOnlyReference(text: string): boolean {
  return ONLY_REFERENCE.test(text);
}
