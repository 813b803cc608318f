import { root } from './paths.mjs';

/**
 * What stops set-up for a reason the person can mend: a sentence that says what is wrong, and the fix.
 * Anything else thrown is a bug and shows its stack.
 */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {string} hint what to do about it
   */
  constructor(message, hint) {
    super(message);
    this.hint = hint;
  }
}

/** One line about what set-up does now; on stderr, for stdout belongs to the program. @param {string} line */
export function say(line) {
  process.stderr.write(`parley: ${line}\n`);
}

/**
 * Runs a script's main function; its result is the exit code. A failure is told in words.
 * @param {() => Promise<number>} main
 */
export async function runMain(main) {
  process.chdir(root);
  try {
    process.exit(await main());
  } catch (error) {
    if (error instanceof SetupError) say(`${error.message}\n        ${error.hint}`);
    else console.error(error);
    process.exit(1);
  }
}
