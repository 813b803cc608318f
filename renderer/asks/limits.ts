import type { Field } from '../../shared/elicitation.ts';

/** What a field allows, said before anything is wrong; undefined when it allows everything. */
export function limitsOf({ kind, constraints }: Field): string | undefined {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = constraints;
  if (kind === 'number' || kind === 'integer') return range(minimum, maximum, '');
  if (kind === 'multiselect')
    return minItems === maxItems && minItems !== undefined
      ? `Choose ${minItems}.`
      : range(minItems, maxItems, '', 'Choose ');
  // Shorter than one character is what "required" says already.
  return range(minLength === 1 || minLength === 0 ? undefined : minLength, maxLength, ' characters');
}

function range(
  from: number | undefined,
  to: number | undefined,
  unit: string,
  verb = '',
): string | undefined {
  const sentence = (words: string) => {
    const whole = `${verb}${words}${unit}.`;
    return whole.charAt(0).toUpperCase() + whole.slice(1);
  };
  if (from !== undefined && to !== undefined) return sentence(`${from} to ${to}`);
  if (from !== undefined) return sentence(`at least ${from}`);
  if (to !== undefined) return sentence(`at most ${to}`);
  return undefined;
}
