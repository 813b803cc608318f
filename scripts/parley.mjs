// `npm run -s parley -- …`: the command line, built on demand, in the folder it was called from.
import { ensureBuilt } from './setup/index.mjs';
import { inRoot } from './setup/paths.mjs';
import { run } from './setup/run.mjs';
import { runMain } from './setup/say.mjs';

await runMain(async () => {
  await ensureBuilt();
  const { code } = await run(process.execPath, [inRoot('dist/main/cli.js'), ...process.argv.slice(2)], {
    cwd: process.env.INIT_CWD,
    foreground: true,
  });
  return code;
});
