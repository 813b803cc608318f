import { uptime } from 'node:os';

/**
 * Whether the process that was writing a message since `since` (ms since the epoch) can no longer finish it. Called
 * at the start, when this process writes nothing yet: its own number is then that of an earlier one.
 */
export function isWriterGone(pid: number | null, since: number): boolean {
  if (pid === null || pid === process.pid) return true;
  // Numbers are given out again after the machine has started anew.
  if (since < Date.now() - uptime() * 1000) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    // There is none of that number (ESRCH), or it is somebody else's (EPERM) and so not Parley on this database.
    return true;
  }
}
