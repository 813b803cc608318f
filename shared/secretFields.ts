import type { Field } from './elicitationSchema.ts';
import { withoutHidden } from './hiddenCharacters.ts';

/**
 * Does this field seem to ask for a password, key, token, card number or PIN? A form is no place for those
 * (client/elicitation, Security). A guess by its words, which a false alarm costs little.
 */
export function asksForSecret(field: Field): boolean {
  switch (field.kind) {
    case 'string':
    case 'unsupported':
      return field.format === 'password' || secrets.test(wordsOf(field, field.description));
    case 'text-format':
      return secrets.test(wordsOf(field));
    case 'number':
    case 'integer':
      // A number of tokens or keys is none of them, and descriptions say what not to enter.
      return secretNumbers.test(wordsOf(field));
    default:
      return false;
  }
}

const numbers = [
  'pins?',
  'pin ?(code|number)s?',
  'pass ?codes?',
  '(credit|debit|bank)? ?card (number|no|nr)s?',
  'cc (number|no|nr)',
  'cv[cv]2?',
  'card (verification|security) (code|value)s?',
  '(security|verification|authenti[cf]ation|auth|one time|2fa|mfa|tan) codes?',
  'otps?',
  'tans?',
];
const texts = [
  'pass ?words?',
  'passwd',
  'pwd',
  'pass ?phrases?',
  'passwort',
  'kennwort',
  'mot de passe',
  'contrasena',
  'senha',
  'secrets?',
  '(api|private|secret|access|ssh|signing|encryption|license|recovery) ?keys?',
  '(access|refresh|auth|bearer|api|session|id|personal access)? ?token',
  'credentials?',
  '(seed|recovery|mnemonic) (phrase|words?|codes?)',
  'mnemonic',
];
const secretNumbers = new RegExp(`\\b(${numbers.join('|')})\\b`);
const secrets = new RegExp(`\\b(${[...texts, ...numbers].join('|')})\\b`);

/** camelCase and snake_case become words; hidden characters, accents and look-alike widths do not hide any. */
function wordsOf({ name, title }: Field, description = ''): string {
  return withoutHidden(`${name} ${title} ${description}`.normalize('NFKD'))
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .toLowerCase();
}
