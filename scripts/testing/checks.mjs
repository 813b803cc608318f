import { inRoot } from '../setup/paths.mjs';
import { run } from '../setup/run.mjs';

/** What is checked, and the tool that does; each is run as `node node_modules/<script> <args>`. */
const checks = [
  { name: 'format and lint', script: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings'] },
  { name: 'types', script: 'typescript/bin/tsc', args: ['--noEmit', '-p', '.'] },
  { name: 'unused code', script: 'knip/bin/knip.js', args: ['--no-progress'] },
  {
    name: 'dependency rule',
    script: 'dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', '.'],
  },
];

/**
 * Runs all checks side by side. Prints one line for each, and what the failed ones say.
 * @returns {Promise<string[]>} the names of the failed ones
 */
export async function checkAll() {
  const failed = await Promise.all(
    checks.map(async ({ name, script, args }) => {
      const start = Date.now();
      const { code, output } = await run(process.execPath, [inRoot('node_modules', script), ...args], {
        output: 'capture',
      });
      const took = `${((Date.now() - start) / 1000).toFixed(1)} s`;
      console.log(code === 0 ? `ok      ${name} (${took})` : `FAILED  ${name} (${took})\n${output}`);
      return code === 0 ? [] : [name];
    }),
  );
  return failed.flat();
}
