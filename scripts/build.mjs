// `npm run build`: dist/, if the sources changed.

import { ensureBuilt } from './setup/index.mjs';
import { runMain } from './setup/say.mjs';

await runMain(async () => {
  await ensureBuilt();
  return 0;
});
