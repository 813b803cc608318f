/** Decimal numbers as people write them: 0.3 is a multiple of 0.1, although their binary quotient is not whole. */

/** Is it a multiple in the decimal sense? A step that is not positive is none, and allows everything. */
export function isMultipleOf(value: number, step: number): boolean {
  if (!(step > 0) || !Number.isFinite(value) || !Number.isFinite(step)) return true;
  const [a, b] = [decimalOf(String(value)), decimalOf(String(step))];
  const exponent = Math.min(a.exponent, b.exponent);
  return scaled(a, exponent) % scaled(b, exponent) === 0n;
}

/** A number as it may be typed: decimal, with an exponent if need be; undefined for everything else. */
export function parseDecimal(text: string): number | undefined {
  const number = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Does JSON carry exactly the number that was typed? Only whole numbers beyond 2^53 can be changed on the way. */
export function isCarriedExactly(text: string, number: number): boolean {
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return true;
  if (text.length > MAX_LENGTH) return false;
  const [typed, sent] = [decimalOf(text), decimalOf(String(number))];
  const exponent = Math.min(typed.exponent, sent.exponent);
  return scaled(typed, exponent) === scaled(sent, exponent);
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** No number that JavaScript can hold needs so many characters. */
const MAX_LENGTH = 2000;

/** `digits` × 10^`exponent`. */
function decimalOf(text: string): { digits: bigint; exponent: number } {
  const [mantissa = '', exponent = '0'] = text.replace(/^\+/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(`${whole.replace('-', '')}${fraction}`);
  return { digits: whole.startsWith('-') ? -digits : digits, exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: ReturnType<typeof decimalOf>, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
