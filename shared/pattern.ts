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

/** How many steps a match may take at worst; a check is over before anybody notices. */
const MAX_STEPS = 10_000_000;

/**
 * A repeated group that holds a repetition or a choice may take exponential time; several repetitions in a row take
 * polynomial time, and each choice in a row multiplies it; back references may take either. Strict on purpose: a false
 * alarm only skips a check.
 */
function isAffordable(pattern: string, length: number): boolean {
  if (pattern.length > 1_000) return false;
  // What is escaped or in a class is one character and no operator; what begins a group with `?` is no choice.
  const bare = pattern
    .replace(/\\(?:[1-9k])/g, '\u0000')
    .replace(/\\./gs, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replace(/\(\?(?:<?[=!]|:|<[^>]*>)/g, '(');
  if (bare.includes('\u0000')) return false;
  // The whole is the outermost group.
  const open = [{ isRisky: false, choices: 1 }];
  // An unanchored pattern is tried at every place: one more factor.
  let steps = bare.startsWith('^') ? 1 : length + 1;
  for (let at = 0; at < bare.length; at++) {
    const rest = bare.slice(at);
    const group = open.at(-1);
    if (!group) return false;
    if (rest.startsWith('(')) open.push({ isRisky: false, choices: 1 });
    else if (rest.startsWith('|')) {
      group.isRisky = true;
      group.choices++;
    } else if (rest.startsWith(')')) {
      open.pop();
      if (repeats.test(rest.slice(1)) && group.isRisky) return false;
      steps *= group.choices;
      const around = open.at(-1);
      if (group.isRisky && around) around.isRisky = true;
    } else {
      const repetition = repeats.exec(rest)?.[0] ?? '';
      if (repetition) steps *= length + 1;
      else if (rest.startsWith('?')) steps *= 2;
      else continue;
      group.isRisky = true;
      at += Math.max(repetition.length, 1) - 1;
      // Reluctance is no choice of its own.
      if (bare[at + 1] === '?') at++;
    }
    if (steps > MAX_STEPS) return false;
  }
  return steps * (open[0]?.choices ?? 1) <= MAX_STEPS;
}

/** `*`, `+` and a counted repetition other than `{0}` and `{1}`, where it begins. */
const repeats = /^(?:[*+]|\{(?:[2-9]|\d\d|\d+,)[^}]*\})/;
