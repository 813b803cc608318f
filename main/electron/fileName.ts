/** In UTF-16 units. */
const LONGEST = 120;

/**
 * A name for a file that is suggested, made of a title or of what a server says: one name with all of its words, nothing
 * that leads to another folder or hides. Its ending stays when it is too long.
 */
export function fileName(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Cf}<>:"|?*/\\]/gu, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  const ending = /\.\w{1,10}$/.exec(plain)?.[0] ?? '';
  const stem = plain.slice(0, plain.length - ending.length).slice(0, LONGEST - ending.length);
  // Never through the middle of a character that takes two units.
  return stem.replace(/[\uD800-\uDBFF]$/, '') + ending || 'resource';
}
