import { runProgram } from './cli/program.ts';

const status = await runProgram(process.argv.slice(2));
// Not exitCode: nothing that was forgotten may keep a command from ending. What was printed is written first.
process.stdout.write('', () => process.stderr.write('', () => process.exit(status)));
