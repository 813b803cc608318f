// `npm run check`: format, lint, types, unused code, dependency rule.

import { ensurePackages } from './setup/index.mjs';
import { runMain } from './setup/say.mjs';
import { checkAll } from './testing/checks.mjs';

await runMain(async () => {
  await ensurePackages();
  return (await checkAll()).length === 0 ? 0 : 1;
});
