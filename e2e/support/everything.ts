import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { freePort } from './freePort.ts';
import { referenceServer } from './host.ts';

/** The URL of the reference server `everything` over one of its HTTP transports. Ends with the test. */
export async function startEverything(mode: 'streamableHttp' | 'sse'): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [referenceServer('everything'), mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    if (child.kill()) await ended;
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(said)));
    child.stderr.on('data', chunk => {
      said += chunk;
      if (/(running|listening) on port/i.test(said)) resolve();
    });
  });
  return `http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`;
}
