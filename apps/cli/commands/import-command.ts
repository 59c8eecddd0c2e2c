import { Option } from 'commander';
import type { CommandHelp, CommandLine, CommonOptions } from '../command';
import { interruption } from '../interruption';
import type { Outcome } from '../outcome';
import type { ImportRun } from '../rows/row-import';
import { FORMATS, SourceFile, type Format } from '../rows/source-file';

interface ImportOptions extends CommonOptions {
  readonly format?: Format;
  readonly ignoreUnknown?: boolean;
}

/** Declares a command that takes over the rows of a file. */
export function declareImport(
  cli: CommandLine,
  name: string,
  help: CommandHelp,
  importFile: (run: ImportRun, options: { ignoreUnknown: boolean }) => Promise<Outcome>,
): void {
  cli
    .command(name, help, 'dry-run')
    .argument('<file>', 'csv with a header, or JSON lines')
    .addOption(new Option('--format <format>', 'if the name of the file does not tell').choices(FORMATS))
    .option('--ignore-unknown', 'leave columns and fields that are not known out', false)
    .action(async (path: string, options: ImportOptions) => {
      const { json = false, dryRun: isTrial = false, ignoreUnknown = false, format } = options;
      const file = await SourceFile.open(path, format);
      const signal = interruption();
      const { terminal } = cli;
      await cli.run(name, json, (database) =>
        importFile({ database, file, terminal, isTrial, signal }, { ignoreUnknown }),
      );
    });
}
