import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEPT_VALUE, type ServerConfig } from '../../shared/servers.ts';
import { commandWithArgs, configOf, draftOf, emptyDraft, runsAnew } from './serverDraft.ts';

const stdio: ServerConfig = {
  type: 'stdio',
  command: 'npx',
  args: ['-y', 'server'],
  env: { TOKEN: KEPT_VALUE },
  cwd: '/projects',
  disabled: true,
  era: 'modern',
  timeoutMs: 1_500,
};

const remote: ServerConfig = {
  type: 'http',
  url: 'https://example.com/mcp',
  headers: { 'X-Key': '${secret:KEY}', 'X-Old': KEPT_VALUE },
  auth: {
    grant: 'client_credentials',
    clientId: 'parley',
    privateKey: KEPT_VALUE,
    algorithm: 'ES256',
    issuer: 'https://login.example.com',
  },
  transport: 'sse',
  roots: ['/projects'],
  disabled: true,
  timeoutMs: 1_500,
};

describe('a server in the form', () => {
  it('is the same config again when nothing is edited', () => {
    const args = fc.array(fc.string());
    const command = fc.string().filter(text => text.trim() !== '' && text.trim() === text);
    fc.assert(
      fc.property(command, args, (command, args) => {
        const config: ServerConfig = { type: 'stdio', command, ...(args.length === 0 ? {} : { args }) };
        expect(configOf(draftOf({ name: 'one', config }), [])).toEqual({ name: 'one', config });
      }),
    );
  });

  it.each([stdio, remote])(
    'keeps what the form does not show, and values that nobody replaced: $type',
    config => {
      const saved = configOf(draftOf({ name: 'one', config }), [], config);
      expect(saved).toEqual({ name: 'one', config });
    },
  );

  it('has no era to choose over the old transport, which knows only one', () => {
    const draft = { ...draftOf({ name: 'one', config: remote }), era: 'modern' as const };
    expect(configOf(draft, [])).toMatchObject({ config: expect.not.objectContaining({ era: 'modern' }) });
    expect(configOf({ ...draft, transport: 'auto' }, [])).toMatchObject({ config: { era: 'modern' } });
  });

  it('keeps the authorization when something else is edited, and says what is wrong with it', () => {
    const draft = draftOf({ name: 'one', config: remote });
    const moved = configOf({ ...draft, url: 'https://example.com/v2' }, [], remote);
    expect(moved).toMatchObject({
      config: { url: 'https://example.com/v2', auth: remote.auth, roots: ['/projects'] },
    });
    expect(configOf({ ...draft, auth: { ...draft.auth, clientId: '' } }, [], remote)).toEqual({
      errors: { auth: { clientId: 'This kind of authorization needs it.' } },
    });
  });

  it('says by field what is wrong', () => {
    expect(configOf({ ...emptyDraft('stdio'), timeout: 'x' }, [])).toEqual({
      errors: {
        name: 'Give the server a name.',
        command: 'Enter the program to run, such as npx.',
        timeout: 'Enter seconds, at most 86400 (a day), or leave it empty.',
      },
    });
    expect(configOf({ ...emptyDraft('http'), name: 'a', url: 'example.com' }, ['a'])).toEqual({
      errors: {
        name: 'There is a server of this name already.',
        url: 'Enter the whole address, such as https://example.com/mcp.',
      },
    });
    const rows = [
      { id: 0, key: 'A', value: '1' },
      { id: 1, key: 'A ', value: '2' },
    ];
    expect(configOf({ ...emptyDraft('stdio'), name: 'a', command: 'b', env: rows }, [])).toEqual({
      errors: { env: '“A” is there twice.' },
    });
  });

  it('takes arguments from lines as they stand, or as a shell reads them', () => {
    const draft = { ...emptyDraft('stdio'), name: 'a', command: 'b', args: '--dir\n/My Files\n' };
    expect(configOf(draft, [])).toMatchObject({ config: { args: ['--dir', '/My Files'] } });
    expect(configOf({ ...draft, args: "--dir '/My Files'", argsAs: 'shell' }, [])).toMatchObject({
      config: { args: ['--dir', '/My Files'] },
    });
  });
});

describe('what runs on this computer', () => {
  it('is shown again when it changes, and only then', () => {
    expect(runsAnew(stdio, undefined)).toBe(true);
    expect(runsAnew({ ...stdio, timeoutMs: 1 }, stdio)).toBe(false);
    expect(runsAnew({ ...stdio, args: ['-y', 'other'] }, stdio)).toBe(true);
    expect(runsAnew({ ...stdio, env: { TOKEN: 'new' } }, stdio)).toBe(true);
    expect(runsAnew({ type: 'http', url: 'https://example.com' }, stdio)).toBe(false);
  });
});

describe('a whole line typed as the command', () => {
  it.each<[string, ReturnType<typeof commandWithArgs>]>([
    ['npx', undefined],
    ['npx -y server', { command: 'npx', args: ['-y', 'server'] }],
    ['C:\\Program Files\\nodejs\\node.exe', undefined],
    ['"C:\\Program Files\\node.exe" a.js', { command: 'C:\\Program Files\\node.exe', args: ['a.js'] }],
    ['/usr/bin/node -v', { command: '/usr/bin/node', args: ['-v'] }],
  ])('%s', (line, split) => {
    expect(commandWithArgs(line)).toEqual(split);
  });
});
