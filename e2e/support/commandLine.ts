/** The command line as a program of its own, in a home of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { bundle } from '../../scripts/testing/bundle.mjs';

interface RunOptions {
  input?: string;
  /** On a terminal, whose output is then all in `stdout`; input is written by the test. */
  pty?: boolean;
  /** Beside what every program has. */
  env?: Record<string, string>;
}

// biome-ignore lint/suspicious/noExplicitAny: results are looked at by the tests
type Json = any;

/** A real terminal around the program, from util-linux. */
export const hasTerminal = process.platform === 'linux' && hasProgram('script');

/**
 * Builds the command line for the tests of a file, and gives each test a fresh home, which goes with everything that
 * runs in it.
 */
export function commandLine() {
  let built: Awaited<ReturnType<typeof bundle>>;
  beforeAll(async () => {
    built = await bundle('main', 'sampleServer');
  }, 120_000);
  afterAll(() => built.remove());

  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  });
  const started = new Set<ChildProcess>();
  afterEach(async () => {
    for (const child of started) child.kill();
    started.clear();
    try {
      // Whatever a test did: no server outlives its command.
      await expect.poll(processesOfThisTest, { timeout: 5_000 }).toEqual([]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  /** Starts the command line in the temporary home, with nothing of the person's own environment. */
  const start = ({ input = '', pty: inTerminal = false, env = {} }: RunOptions, args: string[]) => {
    const command = [process.execPath, join(built.dir, 'main', 'cli.js'), ...args];
    const [program = '', ...rest] = inTerminal
      ? ['script', '-qefc', command.map(word => `'${word}'`).join(' '), '/dev/null']
      : command;
    mkdirSync(home, { recursive: true });
    const child = spawn(program, rest, {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    started.add(child);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', chunk => (stdout += chunk));
    child.stderr.on('data', chunk => (stderr += chunk));
    if (!inTerminal) child.stdin.end(input);
    const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>(
      (resolve, reject) => {
        child.once('error', reject);
        child.once('close', status => resolve({ status, stdout, stderr }));
      },
    );
    /** Everything that was printed so far, as a person reads it. */
    const printed = () => stripVTControlCharacters(stdout + stderr);
    return {
      child,
      ended,
      printed,
      until: (pattern: RegExp) => expect.poll(printed, { timeout: 20_000 }).toMatch(pattern),
      /** Types a line until it is taken: one that agrees is not, in the first moment of a question. */
      typeUntil: (line: string, pattern: RegExp) =>
        expect
          .poll(
            () => {
              if (!pattern.test(printed())) child.stdin?.write(`${line}\r`);
              return printed();
            },
            { timeout: 20_000, interval: 150 },
          )
          .toMatch(pattern),
    };
  };

  const parleyWith = async (options: RunOptions, ...args: string[]) => {
    const { status, stdout, stderr } = await start(options, args).ended;
    const lines: Json[] = args.includes('--json')
      ? stdout
          .trim()
          .split('\n')
          .map(line => JSON.parse(line))
      : [];
    return { status, stdout, stderr, result: lines.at(-1), events: lines.slice(0, -1) };
  };

  /** The command lines of the programs that run in the temporary home (Linux only). */
  function processesOfThisTest(): string[] {
    if (process.platform !== 'linux') return [];
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name) && ofProcess(name, 'environ').includes(`HOME=${home}\0`))
      .map(pid => ofProcess(pid, 'cmdline').replaceAll('\0', ' '));
  }

  return {
    home: () => home,
    start,
    parleyWith,
    parley: (...args: string[]) => parleyWith({}, ...args),
    processesOfThisTest,
    serversFile(mcpServers: object): string {
      const file = join(home, 'given-servers.json');
      writeFileSync(file, JSON.stringify({ mcpServers }));
      return file;
    },
  };
}

function ofProcess(pid: string, what: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch (error) {
    // It ended meanwhile, or it is somebody else's.
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

function hasProgram(name: string): boolean {
  try {
    execFileSync('which', [name]);
    return true;
  } catch {
    return false;
  }
}
