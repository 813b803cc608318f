// `npm start [-- --data DIR …]`: set-up, then Parley's window; without a display its terminal chat.
import { hasDisplay } from './setup/display.mjs';
import { ensureApp, ensureBuilt } from './setup/index.mjs';
import { inRoot, root } from './setup/paths.mjs';
import { run } from './setup/run.mjs';
import { runMain, say } from './setup/say.mjs';

await runMain(() => (hasDisplay() ? openWindow(process.argv.slice(2)) : openTerminal(process.argv.slice(2))));

/** @param {string[]} args */
async function openWindow(args) {
  const electron = await ensureApp();
  const switches = [];
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    say("running as root, where Chromium's sandbox cannot start: opening with --no-sandbox");
    switches.push('--no-sandbox');
  }
  const { code } = await run(electron.binary, [...switches, root, ...args], {
    cwd: process.env.INIT_CWD,
    env: { ...process.env, ...electron.env },
    foreground: true,
  });
  return code;
}

/** @param {string[]} args */
async function openTerminal(args) {
  await ensureBuilt();
  say('there is no display here: opening the terminal chat instead of the window');
  const { code } = await run(process.execPath, [inRoot('dist/main/cli.js'), 'chat', ...args], {
    cwd: process.env.INIT_CWD,
    foreground: true,
  });
  return code;
}
