// `npm run package`: Parley as a folder that runs without Node, npm or this checkout, in release/.
import { ensureApp } from './setup/index.mjs';
import { inRoot } from './setup/paths.mjs';
import { run } from './setup/run.mjs';
import { runMain } from './setup/say.mjs';

await runMain(async () => {
  const electron = await ensureApp();
  const { code } = await run(process.execPath, [
    inRoot('node_modules/electron-builder/cli.js'),
    '--dir',
    `--config.electronDist=${electron.distDir}`,
    `--config.electronVersion=${electron.version}`,
    ...process.argv.slice(2),
  ]);
  return code;
});
