/** The commands for what servers offer beside tools: `resources`, `read`, `prompts`, `prompt`, `complete`. */
import { HostError } from '../../shared/errors.ts';
import {
  type CompletionRef,
  type Offers,
  type PromptInfo,
  type ResourceContents,
  TextArguments,
} from '../../shared/offers.ts';
import { toModelContent } from '../tools/result.ts';
import { parseJsonObject } from './givenAnswer.ts';
import { paint } from './output.ts';
import { exact, oneLine, printable } from './plainText.ts';
import { readyServer } from './server.ts';
import type { Session } from './session.ts';
import { showContent } from './show.ts';
import { serversSettled } from './waiting.ts';

/** The resources and templates of one server, or of all that are ready. */
export async function listResources(session: Session, server: string | undefined): Promise<number> {
  const offers = await offersOf(session, server);
  const resources = offers.flatMap(({ server, resources }) => resources.map(one => ({ server, ...one })));
  const templates = offers.flatMap(({ server, templates }) => templates.map(one => ({ server, ...one })));
  const lines = [
    ...resources.map(one => showLine(one.server, one.uri, one)),
    ...templates.map(one => showLine(one.server, one.uriTemplate, one)),
  ];
  session.output.result({ resources, templates }, lines.join('\n') || 'There are no resources.');
  return 0;
}

/** Reads one resource and prints it; data that is no text is named. */
export async function readResource(session: Session, server: string, uri: string): Promise<number> {
  const { host, output, signal } = session;
  await readyServer(session, server);
  const contents = await host.offers.read(server, uri, { signal });
  output.result({ server, uri, contents }, contents.map(showContents).join('\n'));
  return session.unanswered() === 0 ? 0 : 1;
}

export async function listPrompts(session: Session, server: string | undefined): Promise<number> {
  const offers = await offersOf(session, server);
  const prompts = offers.flatMap(({ server, prompts }) => prompts.map(one => ({ server, ...one })));
  const lines = prompts.map(one => showLine(one.server, `${one.name}${showArguments(one)}`, one));
  session.output.result({ prompts }, lines.join('\n') || 'There are no prompts.');
  return 0;
}

/** Fetches a prompt and prints its messages; nothing is sent to a model. */
export async function getPrompt(
  session: Session,
  server: string,
  name: string,
  json: string,
): Promise<number> {
  const values = parseTexts(json);
  const { host, output, signal } = session;
  await readyServer(session, server);
  const { description, messages } = await host.offers.prompt(server, name, values, { signal });
  const text = messages.map(
    ({ role, content }) =>
      `${paint('bold', `${role}:`)}\n${showContent(toModelContent({ content: [content] }))}`,
  );
  output.result({ server, name, description: description ?? null, messages }, text.join('\n\n'));
  return session.unanswered() === 0 ? 0 : 1;
}

/** Asks a server how an argument may go on, and prints one suggestion on each line. */
export async function complete(
  session: Session,
  [server = '', kind = '', name = '', argument = '', value = '', json = '{}']: string[],
): Promise<number> {
  const context = parseTexts(json);
  const { host, output, signal } = session;
  await readyServer(session, server);
  const ref: CompletionRef = kind === 'prompt' ? { type: 'prompt', name } : { type: 'resource', uri: name };
  const question = { ref, argument: { name: argument, value }, context };
  const { values, total, hasMore } = await host.offers.complete(server, question, { signal });
  output.result({ values, total: total ?? null, hasMore }, values.map(one => oneLine(one)).join('\n'));
  return 0;
}

async function offersOf(
  session: Session,
  server: string | undefined,
): Promise<(Offers & { server: string })[]> {
  const { host } = session;
  await (server === undefined ? serversSettled(session) : readyServer(session, server));
  const names =
    server === undefined
      ? host.manager.views().flatMap(view => (view.state === 'ready' ? view.name : []))
      : [server];
  return Promise.all(names.map(async name => ({ server: name, ...(await host.offers.list(name)) })));
}

/** @throws HostError `cli.arguments` */
function parseTexts(json: string): TextArguments {
  const parsed = TextArguments.safeParse(parseJsonObject(json));
  if (parsed.success) return parsed.data;
  throw new HostError(
    'cli.arguments',
    'The arguments are no JSON object of texts.',
    `For example: parley prompt sample cook '{"dish":"salad"}'`,
  );
}

function showLine(
  server: string,
  what: string,
  about: { name: string; title?: string | undefined; description?: string | undefined },
): string {
  const words = [about.title ?? about.name, about.description].filter(text => text !== undefined);
  return `${exact(server)}  ${paint('bold', exact(what))}\n    ${oneLine(words.join(': '))}`;
}

function showArguments({ arguments: list }: PromptInfo): string {
  return list.map(({ name, required }) => (required ? ` <${name}>` : ` [${name}]`)).join('');
}

function showContents({ text, blob, mimeType }: ResourceContents): string {
  if (text !== undefined) return printable(text);
  const kind = mimeType === undefined ? 'data' : oneLine(mimeType);
  return blob === undefined ? `[${kind}]` : `[${kind}, ${Math.ceil((blob.length * 3) / 4 / 1024)} kB]`;
}
