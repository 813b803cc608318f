import { execFile } from 'node:child_process';

/** Ends a process with everything it started; `pid` leads a process group. A group that is gone is what we want. */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    const force = signal === 'SIGKILL' ? ['/F'] : [];
    // Its only failure is that there is nothing left to end.
    execFile('taskkill', ['/pid', String(pid), '/T', ...force], { windowsHide: true }, () => undefined);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // EPERM: only zombies are left (macOS), or a helper that runs as somebody else and is not ours to end.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
