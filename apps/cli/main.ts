import '@app/platform/process/required-node';
import '@app/platform/process/home-folder';
import { runCommandLine } from './command-line';
import { EXIT } from './outcome';

// A reader such as `head` closes the pipe early, which is no error.
process.stdout.on('error', () => process.exit(EXIT.ok));

void runCommandLine(process.argv.slice(2)).then((exitCode) => {
  process.exitCode = exitCode;
});
