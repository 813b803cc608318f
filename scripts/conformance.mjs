// `npm run conformance [-- part of a scenario's name]`: the official suite against Parley's own host.
import { ensureBuilt } from './setup/index.mjs';
import { runMain } from './setup/say.mjs';
import { runConformance } from './testing/conformance.mjs';
import { closingLine } from './testing/counts.mjs';

await runMain(async () => {
  await ensureBuilt();
  const counts = await runConformance(process.argv[2]);
  console.log(closingLine(counts));
  return counts.failed === 0 ? 0 : 1;
});
