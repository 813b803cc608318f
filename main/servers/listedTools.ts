import { z } from 'zod';
import { ToolAnnotations } from '../../shared/tools.ts';
import { unknownDialect } from './dialects.ts';
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
  const dialect = isObject(outputSchema) ? unknownDialect(outputSchema) : undefined;
  const problems = [
    ...(isObject(inputSchema) ? [] : ['It has no input schema; it is offered as a tool without arguments.']),
    ...(dialect === undefined
      ? []
      : [
          `Its results are not checked: its output schema is in a dialect that Parley does not know: ${dialect}`,
        ]),
  ];
  return {
    name,
    ...(typeof title === 'string' && title !== '' ? { title: shorten(title, MAX_TEXT.title) } : {}),
    ...(typeof description === 'string' && description !== ''
      ? { description: shorten(description, MAX_TEXT.description) }
      : {}),
    inputSchema: isObject(inputSchema) ? inputSchema : { type: 'object' },
    ...(isObject(outputSchema) && dialect === undefined ? { outputSchema } : {}),
    ...(claims.success ? { annotations: claims.data } : {}),
    ...(icons ? { icons } : {}),
    ...(isObject(execution) && execution.taskSupport === 'required' ? { needsTask: true } : {}),
    ...(problems.length > 0 ? { problem: problems.join(' ') } : {}),
  };
}
