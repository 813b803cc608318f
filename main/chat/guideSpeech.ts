/** What the Guide says. Names, descriptions and results are from servers: shown as text, not as Markdown. */
import type { ToolCallBlock } from '../../shared/chat.ts';
import type { JsonObject, ToolInfo } from '../../shared/tools.ts';
import { type Property, propertiesOf } from './guideSchema.ts';

const WHO = 'I am the Guide, not a language model: I look for the tool that fits your words and call it.';
const KEY =
  'For a real conversation, enter an API key on the **Model** screen or start Parley with `ANTHROPIC_API_KEY` set.';

/** What there is to do, after a sentence on why this is said. */
export function help(tools: readonly ToolInfo[], opening: string): string {
  if (tools.length === 0)
    return `${opening}\n\n${WHO} At the moment no server offers one. Add or start a server on the **Servers** screen.\n\n${KEY}`;
  const shown = tools.slice(0, MOST_SHOWN).map(tool => {
    const about = firstSentence(tool.description ?? tool.title ?? '');
    return `- ${code(exactCommand(tool, exampleArguments(tool)))}${about ? ` – ${plain(about)}` : ''}`;
  });
  const more = tools.length - shown.length;
  return [
    opening,
    `${WHO} You can use your own words, such as “${plain(exampleWords(tools))}”, or write the exact command:`,
    [...shown, ...(more > 0 ? [`- and ${more} more: see the **Servers** screen`] : [])].join('\n'),
    KEY,
  ].join('\n\n');
}

export function noMatch(tools: readonly ToolInfo[]): string {
  return help(tools, 'I found no tool that fits this.');
}

export function severalMatches(choices: readonly { tool: ToolInfo; args: JsonObject }[]): string {
  const commands = choices.map(({ tool, args }) => `- ${code(exactCommand(tool, args))}`);
  return `Several tools fit this equally well. Send the one you mean:\n\n${commands.join('\n')}`;
}

export function noSuchCommand(typed: string, tools: readonly ToolInfo[]): string {
  return help(
    tools,
    `There is no tool for ${code(firstLine(typed))}. A command is written ${code('/server tool {json}')}.`,
  );
}

export function badJson(reason: string, tool: ToolInfo): string {
  const example = exactCommand(tool, exampleArguments(tool));
  return `The arguments are not a JSON object: ${plain(reason)}. The command looks like this: ${code(example)}`;
}

export function nothingCalled(tool: ToolInfo): string {
  return `Then I did not call ${code(tool.name)}.`;
}

/** How a call ended; its text when it has one. */
export function outcome(call: ToolCallBlock): string {
  const name = code(call.tool ?? call.modelName);
  switch (call.status) {
    case 'done':
      return spoken(call) ?? `${name} ended. ${otherContent(call)}`;
    case 'failed': {
      const said = call.error?.message ?? textOf(call) ?? '';
      return said ? `${name} failed:\n\n${block(said)}` : `${name} failed without a message.`;
    }
    case 'denied':
      return `${plain(call.error?.message ?? 'The call was not allowed.')} Nothing was called.`;
    case 'cancelled':
      return `The call of ${name} was stopped.`;
    default:
      return `The call of ${name} did not end.`;
  }
}

/** `/server tool {json}` */
function exactCommand({ server, name }: ToolInfo, args: JsonObject): string {
  const json = Object.keys(args).length > 0 ? ` ${JSON.stringify(args)}` : '';
  return `/${server} ${name}${json}`;
}

const MOST_SHOWN = 12;
const MOST_SPOKEN = 4000;

function spoken(call: ToolCallBlock): string | undefined {
  const text = textOf(call);
  if (text === undefined) return undefined;
  const others = (call.result?.content ?? []).some(({ type }) => type !== 'text');
  return others ? `${block(text)}\n\n${otherContent(call)}` : block(text);
}

function textOf(call: ToolCallBlock): string | undefined {
  const texts = (call.result?.content ?? []).flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' && text.trim() !== '' ? [text] : [],
  );
  return texts.length > 0 ? texts.join('\n') : undefined;
}

function otherContent(call: ToolCallBlock): string {
  const kinds = (call.result?.content ?? []).map(({ type }) => type).filter(type => type !== 'text');
  if (kinds.length === 0)
    return call.result?.structuredContent === undefined
      ? 'It returned nothing.'
      : `It returned:\n\n${block(JSON.stringify(call.result.structuredContent, null, 2))}`;
  const named = [...new Set(kinds)].map(kind => known[kind] ?? `content of the type ${code(kind)}`);
  return `It returned ${named.join(' and ')}; see the result above.`;
}

const known: Record<string, string> = {
  image: 'a picture',
  audio: 'a sound',
  resource: 'a file',
  resource_link: 'a link',
};

function exampleWords(tools: readonly ToolInfo[]): string {
  const simple = tools.find(tool => {
    const properties = propertiesOf(tool.inputSchema).filter(({ required }) => required);
    return properties.length > 0 && properties.every(({ kind }) => kind === 'number' || kind === 'integer');
  });
  if (simple) {
    const values = Object.values(exampleArguments(simple)).join(' and ');
    return `${simple.name.replace(/[_-]+/g, ' ')} ${values}`;
  }
  return (tools[0]?.title ?? tools[0]?.name ?? '').replace(/[_-]+/g, ' ');
}

function exampleArguments(tool: ToolInfo): JsonObject {
  const required = propertiesOf(tool.inputSchema).filter(property => property.required);
  return Object.fromEntries(
    required.map((property, index) => [property.name, exampleValue(property, index)]),
  );
}

function exampleValue(property: Property, index: number): unknown {
  if (property.fallback !== undefined) return property.fallback;
  switch (property.kind) {
    case 'number':
    case 'integer':
      return [19, 23][index] ?? index + 1;
    case 'boolean':
      return true;
    case 'choice':
      return property.choices[0]?.value;
    case 'list':
      return property.items ? [exampleValue(property.items, index)] : [];
    case 'email':
      return 'name@example.com';
    case 'url':
      return 'https://example.com';
    case 'path':
      return '/path/to/it';
    case 'date':
      return '2027-01-31';
    case 'date-time':
      return '2027-01-31T09:00:00Z';
    case 'text':
      return 'hello';
    default:
      return {};
  }
}

/** One line as it is; several as a block, so that lines stay lines. */
function block(text: string): string {
  const shown = text.length > MOST_SPOKEN ? `${text.slice(0, MOST_SPOKEN)} …` : text;
  if (!/[\r\n]/.test(shown.trim())) return plain(shown.trim());
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${shown}\n${fence}`;
}

/** Text that Markdown leaves alone. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>|#~!&]/g, '\\$&').replace(/^(\s*)([-+]|\d+[.)])(?=\s)/, '$1\\$2');
}

function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length));
  const ticks = '`'.repeat(longest + 1);
  return longest > 0 ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}

function firstSentence(text: string): string {
  const sentence = /^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim();
  return firstLine(sentence);
}

function firstLine(text: string): string {
  const line = text.trim().split(/[\r\n]/)[0] ?? '';
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

export const attachmentsUnread =
  'I cannot read what you attached: I only find tools by your words. A language model can; choose one on the Model screen.';
