// `npm test`: set-up, `npm run check`, unit and integration tests, the conformance suite, end-to-end tests. The last
// line is the sum.
import { ensureApp } from './setup/index.mjs';
import { runMain } from './setup/say.mjs';
import { checkAll } from './testing/checks.mjs';
import { runConformance } from './testing/conformance.mjs';
import { closingLine, none, sum } from './testing/counts.mjs';
import { runPlaywright, runVitest } from './testing/suites.mjs';

await runMain(async () => {
  const electron = await ensureApp({ forTests: true });
  const failedChecks = await checkAll();
  const counts = sum(
    await runVitest([]),
    await runConformance(),
    await runPlaywright(electron, []),
    // A failed check is a failure; a passed one is not a test.
    { ...none, failed: failedChecks.length },
  );
  if (failedChecks.length > 0) console.log(`npm run check failed: ${failedChecks.join(', ')}`);
  console.log(closingLine(counts));
  return counts.failed === 0 ? 0 : 1;
});
