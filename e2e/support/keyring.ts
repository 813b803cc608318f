import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A real Secret Service on a session bus of its own, unlocked, with an empty keyring. */
export async function startKeyring(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'parley-keyring-'));
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await firstLine(bus);
  const env = {
    DBUS_SESSION_BUS_ADDRESS: address,
    HOME: home,
    XDG_CURRENT_DESKTOP: 'GNOME',
    XDG_RUNTIME_DIR: home,
  };
  const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  keyring.stdin?.end('a password');
  await ownsSecretService(env);
  return {
    env,
    async stop() {
      for (const child of [keyring, bus]) {
        child.kill();
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Asks the bus until somebody answers for the Secret Service. */
async function ownsSecretService(env: Record<string, string>): Promise<void> {
  const question = 'org.freedesktop.DBus.NameHasOwner';
  const args = ['--session', '--print-reply=literal', '--dest=org.freedesktop.DBus', '/', question];
  for (;;) {
    const { stdout } = await run('dbus-send', [...args, 'string:org.freedesktop.secrets'], {
      env: { ...process.env, ...env },
    });
    if (stdout.includes('true')) return;
  }
}

/** What the program prints when it is ready. */
async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout as NodeJS.ReadableStream) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] ?? '';
}
