/** The command line `parley`: which commands there are and what each option means. */
import { Argument, Command, CommanderError, Option } from 'commander';
import { exportConversations, importConversations } from './archive.ts';
import { ask } from './ask.ts';
import { callTool } from './call.ts';
import { chat } from './chat.ts';
import { defaultDataDir } from './dataDir.ts';
import { listServers, listTools } from './listing.ts';
import { complete, getPrompt, listPrompts, listResources, readResource } from './offers.ts';
import type { Output } from './output.ts';
import { version } from './ports.ts';
import { listRules, printAudit, revokeRule } from './rules.ts';
import { signIn, signOut } from './server.ts';
import { type GlobalOptions, inDataDir, inSession, type Session } from './session.ts';

/** Runs the command line; resolves with the exit status, which is 0 only when it worked. Never rejects. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let status = 0;
  const program = new Command('parley')
    .description(
      'Chat with a language model that uses the MCP servers you choose, and decide what they may do.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .helpCommand('help [command]', 'explain a command')
    .showHelpAfterError('(parley --help explains everything)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();

  for (const option of options()) program.addOption(option);

  /** Adds a command that works in a session. */
  const add = (
    usage: string,
    description: string,
    work: (session: Session, args: string[], options: GlobalOptions) => Promise<number>,
  ) => {
    const command = program.command(usage).description(description);
    command.action(async () => {
      const given = program.opts<GlobalOptions>();
      status = await inSession(given, session => work(session, command.processedArgs, given));
    });
    return command;
  };

  add('chat', 'talk in the terminal; each line from a pipe is a message', (session, _args, options) =>
    chat(session, options),
  );
  add('ask <text>', 'send one message and print the answer', (session, [text = ''], options) =>
    ask(session, text, options),
  );
  add('servers', 'list the servers, their state and what they offer', listServers);
  add('tools', 'list the tools of all servers', listTools);
  add(
    'call <server> <tool> [json]',
    'call one tool; typing it is allowing it',
    (session, [server = '', tool = '', json = '{}'], { approve }) =>
      callTool(session, { server, tool, json, approve }),
  );
  add('resources [server]', 'list the resources and their templates', (session, [server]) =>
    listResources(session, server),
  );
  add('read <server> <uri>', 'read one resource', (session, [server = '', uri = '']) =>
    readResource(session, server, uri),
  );
  add('prompts [server]', 'list the prompts and their arguments', (session, [server]) =>
    listPrompts(session, server),
  );
  add(
    'prompt <server> <name> [json]',
    'fetch one prompt and print its messages',
    (session, [server = '', name = '', json = '{}']) => getPrompt(session, server, name, json),
  );
  add('complete <server>', 'suggest how an argument of a prompt or of a resource template goes on', complete)
    .addArgument(new Argument('<kind>', 'of what it is an argument').choices(['prompt', 'resource']))
    .argument('<name>', 'the name of the prompt, or the template')
    .argument('<argument>')
    .argument('<value>', 'what there is of it')
    .argument('[json]', 'the other arguments');
  add('signin <server>', 'sign in to a remote server, in your browser', (session, [server = '']) =>
    signIn(session, server),
  );
  add('signout <server>', 'give the tokens of a sign-in back and forget them', (session, [server = '']) =>
    signOut(session, server),
  );
  const addPlain = (
    parent: Command,
    usage: string,
    description: string,
    work: (dataDir: string, output: Output, args: string[]) => number,
  ) => {
    const command = parent.command(usage).description(description);
    command.action(async () => {
      status = await inDataDir(program.opts<GlobalOptions>(), (dataDir, output) =>
        work(dataDir, output, command.processedArgs),
      );
    });
    return command;
  };
  const rules = addPlain(
    program,
    'rules',
    'list what you have allowed or denied until you revoke it',
    listRules,
  );
  addPlain(
    rules,
    'revoke <server> [tool]',
    "take back a tool's rule, or without a tool the one for all other tools of the server",
    (dataDir, output, [server = '', tool]) => revokeRule(dataDir, output, server, tool),
  );
  addPlain(
    program,
    'audit',
    'print the log of every question and answer, one JSON object per line',
    printAudit,
  );
  addPlain(
    program,
    'export <file>',
    'write all conversations into a file: .md to be read, else JSON',
    (dataDir, output, [file = '']) => exportConversations(dataDir, output, file),
  );
  addPlain(
    program,
    'import <file>',
    'take in the conversations of a file of Parley, or of a data export of Claude or ChatGPT',
    (dataDir, output, [file = '']) => importConversations(dataDir, output, file),
  );
  program.addHelpText('after', epilogue);

  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

function options(): Option[] {
  return [
    new Option('--data <dir>', `where everything is kept, instead of ${defaultDataDir()}`),
    new Option('--config <file>', 'a servers file to use instead of servers.json in the data directory'),
    new Option('--model <name>', 'a model of the endpoint, or guide: no language model, no key needed'),
    new Option('--json', 'print one JSON object per line for each event, the result last'),
    new Option(
      '--approve <when>',
      'what happens when a tool is to run: ask you on the terminal (default), allow all, allow none',
    ).choices(['ask', 'all', 'none']),
    new Option(
      '--answer <answer>',
      "the answer to a server's questions: a JSON object for its form ({} agrees to a page or a sign-in), decline or cancel",
    ),
    new Option('--wire', 'print every message to and from the servers to stderr, without secrets'),
    new Option('--usage', 'print after each answer how many tokens it took and what they cost'),
    new Option('--keep', 'keep a sign-in, or a secret that you type, in secrets.json without encryption'),
  ];
}

const epilogue = `
Examples:
  parley ask --model guide --approve all "add 19 and 23"
  parley call sample add '{"a":19,"b":23}'
  parley call sample book-table --answer '{"name":"Ada","day":"2027-01-31"}'
  parley tools --json --config servers.json
  parley call sample add '{"a":19,"b":23}' --wire
  parley read sample sample://about
  parley prompt sample cook '{"dish":"salad"}'
  parley rules revoke sample add
  parley complete sample resource 'sample://recipes/{name}' name p

The key for a language model is read from ANTHROPIC_API_KEY, its endpoint from ANTHROPIC_BASE_URL. A key or a sign-in
that the app keeps encrypted cannot be read here. Servers, conversations, rules and the chosen model are shared with
the app.

Without a terminal to ask you on, tool calls and questions are declined unless --approve and --answer say otherwise.
The exit status is 0 only when it worked.
`;
