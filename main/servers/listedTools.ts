import { z } from 'zod';
import { ToolAnnotations } from '../../shared/tools.ts';
import { understandIcons } from './icons.ts';
import { isObject } from './objects.ts';
import { MAX_TEXT, shorten } from './shortTexts.ts';
import type { ListedTool } from './types.ts';

/** The usable ones of a list of tools, whatever is in it. What had to be left out is told in `notes`. */
export function understandTools(items: readonly unknown[], notes: string[]): ListedTool[] {
  const tools = new Map<string, ListedTool>();
  const twice = new Set<string>();
  for (const item of items) {
    const tool = understandTool(item);
    if (typeof tool === 'string') notes.push(tool);
    else if (tools.has(tool.name)) twice.add(tool.name);
    else tools.set(tool.name, tool);
  }
  for (const name of twice) notes.push(`The tool “${name}” is listed more than once; the first one is used.`);
  return [...tools.values()];
}

const Loose = z.looseObject({ name: z.string().min(1) });

/** The tool, or why it had to be left out. */
function understandTool(item: unknown): ListedTool | string {
  const parsed = Loose.safeParse(item);
  if (!parsed.success) return `A tool without a name was left out: ${JSON.stringify(item)?.slice(0, 120)}`;
  if (parsed.data.name.length > MAX_TEXT.name)
    return `A tool whose name has more than ${MAX_TEXT.name} characters was left out: ${parsed.data.name.slice(0, 60)}…`;
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = parsed.data;
  const claims = ToolAnnotations.safeParse(annotations);
  const icons = understandIcons(parsed.data.icons);
  return {
    name,
    ...(typeof title === 'string' && title !== '' ? { title: shorten(title, MAX_TEXT.title) } : {}),
    ...(typeof description === 'string' && description !== ''
      ? { description: shorten(description, MAX_TEXT.description) }
      : {}),
    inputSchema: isObject(inputSchema) ? inputSchema : { type: 'object' },
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    ...(claims.success ? { annotations: claims.data } : {}),
    ...(icons ? { icons } : {}),
    ...(isObject(execution) && execution.taskSupport === 'required' ? { needsTask: true } : {}),
    ...(isObject(inputSchema)
      ? {}
      : { problem: 'It has no input schema; it is offered as a tool without arguments.' }),
  };
}
