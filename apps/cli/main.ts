import { runCommandLine } from './command-line';
import { EXIT } from './outcome';

// A reader that has seen enough, such as `head`, closes the pipe: no reason to complain.
process.stdout.on('error', () => process.exit(EXIT.ok));

void runCommandLine(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
