// A newer Node than the one that runs the scripts, for tools that need it.
import path from 'node:path';
import { downloadPackage, ensureCached } from './cache.mjs';
import { mustRun } from './run.mjs';
import { SetupError } from './say.mjs';

const version = '24.22.3';

/** Linux builds of Node that come as packages. @type {Partial<Record<string, string>>} */
const integrity = {
  x64: 'sha512-KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
  arm64: 'sha512-IZx0J52/1NDwAsY2iyWR9nlPIYuYviTWetjj8+ElvYQh2+XRhLfCfkbFEF/2O5vGI2hcUbyPNHV+nz342FbJXw==',
};

/**
 * The path of a Node of at least this major version: ours if it is new enough, else one in the cache.
 * @param {number} major
 */
export async function ensureNode(major) {
  if (Number(process.versions.node.split('.')[0]) >= major) return process.execPath;
  const known = process.platform === 'linux' ? integrity[process.arch] : undefined;
  const otherwise = `Use Node ${major} or newer and run this again.`;
  if (!known) throw new SetupError(`This needs Node ${major}; ours is ${process.versions.node}.`, otherwise);
  const spec = `node-linux-${process.arch}@${version}`;
  const dir = await ensureCached({ name: `node-${version}`, revision: 1 }, async workDir => {
    const archive = await downloadPackage({ spec, integrity: known, megabytes: 50, otherwise }, workDir);
    await mustRun('tar', ['-xzf', archive, '-C', workDir], { output: 'capture', hint: 'Is the disk full?' });
    return path.join(workDir, 'package');
  });
  return path.join(dir, 'bin', 'node');
}
