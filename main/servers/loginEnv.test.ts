import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tempDir, testPorts } from '../../e2e/support/host.ts';
import { prepareLaunch } from './command.ts';

/** What a program has that was started from the desktop and not from a terminal. */
const BARE = {
  PATH: '/usr/bin:/bin',
  HTTPS_PROXY: 'http://proxy:8080',
  NODE_EXTRA_CA_CERTS: '/etc/company.pem',
};

/** A person whose login shell sets `lines` and is chatty about it. Ends with the test. */
async function person(lines: (home: string) => string[]): Promise<string> {
  const { path: home, remove } = await tempDir();
  onTestFinished(remove);
  await mkdir(join(home, 'bin'));
  await writeFile(join(home, 'bin', 'npx-of-mine'), '#!/bin/sh\n');
  await chmod(join(home, 'bin', 'npx-of-mine'), 0o755);
  const profile = ['echo "Welcome back!"', ...lines(home)].join('\n');
  for (const file of ['.bash_profile', '.profile', '.zprofile']) await writeFile(join(home, file), profile);
  vi.stubEnv('HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  return home;
}

it.skipIf(process.platform === 'win32')(
  'a server is found and run with the PATH of the login shell, and gets the proxy and the certificates, but no secret',
  async () => {
    const home = await person(dir => [
      `export PATH="${dir}/bin:$PATH"`,
      'export OPENAI_API_KEY=very-secret',
      'export REQUESTS_CA_BUNDLE=/etc/bundle.pem',
      'export no_proxy=.corp.example',
    ]);
    const ports = testPorts(home, { env: { ...BARE, HOME: home } });
    const { command, env } = await prepareLaunch({ type: 'stdio', command: 'npx-of-mine' }, ports);
    expect(command).toBe(join(home, 'bin', 'npx-of-mine'));
    expect(env.PATH?.split(':')).toEqual(expect.arrayContaining([join(home, 'bin'), '/usr/bin', '/bin']));
    expect(env).toMatchObject({
      HTTPS_PROXY: BARE.HTTPS_PROXY,
      no_proxy: '.corp.example',
      NODE_EXTRA_CA_CERTS: BARE.NODE_EXTRA_CA_CERTS,
      REQUESTS_CA_BUNDLE: '/etc/bundle.pem',
      PYTHONUTF8: '1',
      PYTHONIOENCODING: 'utf-8',
    });
    expect(JSON.stringify(env)).not.toContain('very-secret');
  },
);
