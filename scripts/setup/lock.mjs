// One set-up at a time: `npm start` and `npm test` side by side must not both run `npm ci` or write `dist/`.
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { say } from './say.mjs';

const heartbeatMs = 2_000;
/** A live holder touches its lock every two seconds; the slack is for a machine that was busy or asleep. */
const staleAfterMs = 30_000;

/**
 * Runs `work` while holding the lock file; waits while another live process holds it. A lock whose holder
 * died, however it died, is taken over.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  let told = false;
  while (!tryTake(file)) {
    if (isStale(file)) rmSync(file, { force: true });
    else {
      if (!told) say('waiting for another set-up of this checkout to finish');
      told = true;
      await delay(200);
    }
  }
  const heartbeat = setInterval(() => utimesSync(file, new Date(), new Date()), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
function tryTake(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {string} file */
function isStale(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    const age = Date.now() - statSync(file).mtimeMs;
    // An empty file is a lock between its creation and its first byte.
    return age > staleAfterMs || (pid > 0 && !isAlive(pid));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return false;
    throw error;
  }
}

/** Whether a process with this id runs. @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
  return !isZombie(pid);
}

/**
 * In a container whose first process does not collect the dead, they keep their number.
 * @param {number} pid
 */
function isZombie(pid) {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // It ended this moment, or the system has no /proc: then it is no zombie.
    return false;
  }
}
