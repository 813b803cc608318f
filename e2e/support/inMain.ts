import type { ElectronApplication } from '@playwright/test';

type Electron = typeof import('electron');

/**
 * Runs a function in the app's main process and brings back what it returns. Use it instead of `app.evaluate`, which
 * now and then loses the answer of a function that is not asynchronous: V8 holds the promise it makes for such an
 * answer only weakly until the code that runs has ended, and a garbage collection in between takes it. A promise of
 * the function's own is held.
 */
export async function inMain<Result, Argument = undefined>(
  app: ElectronApplication,
  run: (electron: Electron, argument: Argument) => Result | Promise<Result>,
  ...[argument]: Argument extends undefined ? [] : [Argument]
): Promise<Result> {
  return app.evaluate(
    async (electron, [source, given]) => new Function(`return (${source})`)()(electron, given),
    [String(run), argument] as const,
  );
}
