import { UriTemplate } from '@modelcontextprotocol/client';
import { z } from 'zod';
import {
  Annotations,
  type PromptArgument,
  type PromptInfo,
  type ResourceInfo,
  type TemplateInfo,
} from '../../shared/offers.ts';
import { understandIcons } from './icons.ts';
import { MAX_TEXT, shorten } from './shortTexts.ts';

/** The usable ones of a list of resources; what had to be left out is told in `notes`, here and below. */
export function understandResources(items: readonly unknown[], notes: string[]): ResourceInfo[] {
  return understand('resource', items, notes, item => {
    const { uri, size } = item;
    if (!isFilled(uri)) return 'without an address';
    const info = {
      uri,
      ...described(item, uri),
      ...dataOf(item),
      ...(typeof size === 'number' && size >= 0 && Number.isFinite(size) ? { size } : {}),
    };
    return { key: uri, info };
  });
}

export function understandTemplates(items: readonly unknown[], notes: string[]): TemplateInfo[] {
  return understand('template', items, notes, item => {
    const { uriTemplate } = item;
    if (!isFilled(uriTemplate)) return 'without an address';
    const variables = variablesOf(uriTemplate);
    if (!variables) return 'whose address is no URI template';
    const info = { uriTemplate, ...described(item, uriTemplate), ...dataOf(item), variables };
    return { key: uriTemplate, info };
  });
}

export function understandPrompts(items: readonly unknown[], notes: string[]): PromptInfo[] {
  return understand('prompt', items, notes, item => {
    const { name } = item;
    if (!isFilled(name)) return 'without a name';
    const given = Array.isArray(item.arguments) ? item.arguments : [];
    return {
      key: name,
      info: {
        ...described(item, name),
        arguments: given.slice(0, MAX_ARGUMENTS).flatMap(understandArgument),
      },
    };
  });
}

type Item = Record<string, unknown>;

/** Of an address or a name: the longest that a resource is read by. */
const MAX_KEY_LENGTH = 8000;
/** Each is a field of a form. */
const MAX_ARGUMENTS = 100;

function understand<T>(
  kind: string,
  items: readonly unknown[],
  notes: string[],
  read: (item: Item) => { key: string; info: T } | string,
): T[] {
  const known = new Map<string, T>();
  const twice = new Set<string>();
  for (const item of items) {
    const parsed = z.looseObject({}).safeParse(item);
    const result = parsed.success ? read(parsed.data) : 'that is no object';
    if (typeof result !== 'string' && result.key.length > MAX_KEY_LENGTH)
      notes.push(`A ${kind} was left out, because it is named with more than ${MAX_KEY_LENGTH} characters.`);
    else if (typeof result === 'string')
      notes.push(`A ${kind} ${result} was left out: ${JSON.stringify(item)?.slice(0, 120)}`);
    else if (known.has(result.key)) twice.add(result.key);
    else known.set(result.key, result.info);
  }
  for (const key of twice)
    notes.push(`The ${kind} “${key}” is listed more than once; the first one is used.`);
  return [...known.values()];
}

function described(item: Item, fallback: string) {
  const { name, title, description } = item;
  const icons = understandIcons(item.icons);
  return {
    name: shorten(isFilled(name) ? name : fallback, MAX_TEXT.name),
    ...told({ title, description }),
    ...(icons ? { icons } : {}),
  };
}

function told({ title, description }: Item): { title?: string; description?: string } {
  return {
    ...(isFilled(title) ? { title: shorten(title, MAX_TEXT.title) } : {}),
    ...(isFilled(description) ? { description: shorten(description, MAX_TEXT.description) } : {}),
  };
}

function dataOf({ mimeType, annotations }: Item) {
  const hints = Annotations.safeParse(annotations);
  return {
    ...(isFilled(mimeType) ? { mimeType: shorten(mimeType, MAX_TEXT.title) } : {}),
    ...(hints.success ? { annotations: hints.data } : {}),
  };
}

function understandArgument(item: unknown): PromptArgument[] {
  const parsed = z.looseObject({ name: z.string().min(1) }).safeParse(item);
  if (!parsed.success) return [];
  const { name, title, description, required } = parsed.data;
  return [
    {
      name,
      ...told({ title, description }),
      required: required === true,
    },
  ];
}

function variablesOf(template: string): string[] | undefined {
  try {
    return [...new Set(new UriTemplate(template).variableNames)];
  } catch {
    return undefined; // Not a template; the caller says so.
  }
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
