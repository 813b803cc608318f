import { useMemo, useState } from 'react';
import {
  type Field,
  type FieldValue,
  type FieldValues,
  initialValues,
  parseFields,
  toContent,
  validateAll,
} from '../../shared/elicitation.ts';
import type { JsonObject } from '../../shared/tools.ts';
import { useDrafts } from './drafts.ts';

export interface Fields {
  fields: Field[];
  values: FieldValues;
  /** What is wrong, by name: only of fields that the person has left, or of all after an attempt to send. */
  errors: Readonly<Record<string, string>>;
  change(name: string, value: FieldValue): void;
  leave(name: string): void;
  /** What can be sent; undefined when something is wrong, which is shown from then on. */
  submit(): { content: JsonObject } | { firstWrong: string };
}

/** The state of the fields of one question; what is typed survives as long as the question does. */
export function useFields(
  askId: string,
  schema: JsonObject,
  known?: JsonObject,
  read: (schema: JsonObject) => Field[] = parseFields,
): Fields {
  const fields = useMemo(() => read(schema), [schema, read]);
  const initial = useMemo(() => initialValues(fields, known), [fields, known]);
  const draft = useDrafts(state => state.drafts[askId]);
  const setDraft = useDrafts(state => state.set);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const values = useMemo(() => ({ ...initial, ...draft }), [initial, draft]);
  const wrong = useMemo(() => validateAll(fields, values), [fields, values]);
  return {
    fields,
    values,
    errors: Object.fromEntries(Object.entries(wrong).filter(([name]) => left.has(name))),
    change: (name, value) => setDraft(askId, name, value),
    leave: name => setLeft(before => new Set(before).add(name)),
    submit: () => {
      setLeft(new Set(fields.map(({ name }) => name)));
      const first = fields.find(({ name }) => Object.hasOwn(wrong, name));
      return first ? { firstWrong: first.name } : { content: toContent(fields, values) };
    },
  };
}
