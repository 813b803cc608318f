import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** `+ PGID` registers a process group, `- PGID` forgets it; when the input ends, what is left is ended. */
const SCRIPT = `
groups=' '
while read -r what group; do
  case $what in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
[ "$groups" = "\${groups#*[0-9]}" ] || sleep 2
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
`;

/**
 * Ends the servers' process groups when the host dies without a chance to do so itself (kill -9, power of the
 * out-of-memory killer): one tiny shell for the whole host, in a session of its own, that notices the end of its
 * input. On Windows there are no process groups: servers there end when their own stdin does.
 */
export class Reaper {
  #child: ChildProcess | undefined;

  watch(group: number): void {
    if (process.platform === 'win32') return;
    this.#child ??= this.#start();
    this.#child.stdin?.write(`+ ${group}\n`);
  }

  forget(group: number): void {
    this.#child?.stdin?.write(`- ${group}\n`);
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.stdin?.end();
    await once(child, 'exit');
  }

  #start(): ChildProcess {
    const child = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
    });
    // Without a reaper servers still run; only the protection against a crash is missing.
    child.on('error', () => undefined);
    child.stdin?.on('error', () => undefined);
    child.unref();
    return child;
  }
}
