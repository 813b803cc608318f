import type { Field } from './elicitationSchema.ts';

/** What a field allows, said before anything is wrong; undefined when it allows everything. */
export function limitsOf({ kind, constraints }: Field): string | undefined {
  const { minLength, maxLength, minItems, maxItems } = constraints;
  if (kind === 'number' || kind === 'integer') return numberLimits(constraints);
  if (kind === 'multiselect')
    return minItems === maxItems && minItems !== undefined
      ? `Choose ${minItems}.`
      : range(minItems || undefined, maxItems, '', 'Choose ');
  // Shorter than one character is what "required" says already.
  return range(minLength === 1 || minLength === 0 ? undefined : minLength, maxLength, ' characters');
}

function numberLimits(constraints: Field['constraints']): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = constraints;
  const words = [
    range(minimum, maximum, ''),
    exclusiveMinimum !== undefined && `More than ${exclusiveMinimum}.`,
    exclusiveMaximum !== undefined && `Less than ${exclusiveMaximum}.`,
    multipleOf !== undefined && multipleOf !== 1 && `In steps of ${multipleOf}.`,
  ];
  return words.filter(Boolean).join(' ') || undefined;
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
