// `npm run test:e2e [-- Playwright's arguments]`: the tests in the real window.
import { ensureApp } from './setup/index.mjs';
import { runMain } from './setup/say.mjs';
import { closingLine } from './testing/counts.mjs';
import { runPlaywright } from './testing/suites.mjs';

await runMain(async () => {
  const counts = await runPlaywright(await ensureApp({ forTests: true }), process.argv.slice(2));
  console.log(closingLine(counts));
  return counts.failed === 0 ? 0 : 1;
});
