// The words of a command of package.json. It needs nothing that is installed.
import { parseArgs } from 'node:util';

/**
 * Reads the words as `parseArgs` of Node does. `--help` prints the usage and ends with 0; a word that the
 * command does not know ends with 2 and one line.
 */
export function readWords(usage, { args = process.argv.slice(2), words = 0, options = {} } = {}) {
  endWithUsage(usage, args);
  let read;
  try {
    read = parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    refuse(error.message.split('. ')[0]);
  }
  const unexpected = read.positionals[words];
  if (unexpected !== undefined) refuse(`Unexpected word '${unexpected}'`);
  return read;
}

/** For commands whose other words are read elsewhere. */
export function endWithUsage(usage, args = process.argv.slice(2)) {
  if (!args.includes('--help')) return;
  console.log(`Usage: ${usage}`);
  process.exit(0);
}

/** Ends a command whose words mean nothing. */
export function refuse(problem) {
  console.error(`${problem}: --help shows the usage`);
  process.exit(2);
}
