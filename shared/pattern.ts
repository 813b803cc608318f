/**
 * Does `value` match a regular expression that a server wrote? Undefined when it cannot be told: the pattern is
 * invalid, or might run for ages. A regular expression cannot be interrupted, so one that could freeze the
 * program is not run; the server checks its own pattern again anyway.
 */
export function matchesPattern(pattern: string, value: string): boolean | undefined {
  if (!isAffordable(pattern, value.length)) return undefined;
  const expression = compile(pattern, 'u') ?? compile(pattern, '');
  return expression?.test(value);
}

function compile(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined; // Not a pattern in this dialect: nothing to check against.
  }
}

/**
 * A repeated group that holds a repetition or alternatives may take exponential time, several repetitions in a row
 * polynomial time; back references either. Strict on purpose: a false alarm only skips a check.
 */
function isAffordable(pattern: string, length: number): boolean {
  if (pattern.length > 1_000) return false;
  // What is escaped or in a class is one character and no operator.
  const bare = pattern
    .replace(/\\(?:[1-9k])/g, '\u0000')
    .replace(/\\./gs, 'x')
    .replace(/\[[^\]]*\]/g, 'x');
  if (bare.includes('\u0000')) return false;
  const inner: boolean[] = [];
  let repetitions = 0;
  for (let at = 0; at < bare.length; at++) {
    const rest = bare.slice(at);
    if (rest.startsWith('(')) inner.push(false);
    else if (rest.startsWith('|') && inner.length > 0) inner[inner.length - 1] = true;
    else if (rest.startsWith(')')) {
      const risky = inner.pop() ?? false;
      if (repeats.test(rest.slice(1)) && risky) return false;
      if (risky && inner.length > 0) inner[inner.length - 1] = true;
    } else if (repeats.test(rest)) {
      repetitions++;
      if (inner.length > 0) inner[inner.length - 1] = true;
    }
  }
  // An unanchored pattern is tried at every place: one more factor.
  return (length + 1) ** (repetitions + (bare.startsWith('^') ? 0 : 1)) <= 10_000_000;
}

/** `*`, `+` and a counted repetition other than `{0}` and `{1}`, where it begins. */
const repeats = /^(?:[*+]|\{(?:[2-9]|\d\d|\d+,))/;
