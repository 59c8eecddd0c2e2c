import { readSettings } from '../../../config/env';
import { commandHelp, identifier, type CommandLine, type CommonOptions } from '../command';
import { interruption } from '../interruption';
import { erasePerson } from './person-erase';
import { exportPerson } from './person-export';
import type { NamedPerson } from './person-named';

const HELP = commandHelp(
  'answer privacy requests: export or erase a person',
  'Exports all that is stored about a person, or erases it. docs/privacy.md walks through a request.',
);

const EXPORT_HELP = commandHelp(
  'write all that is stored about a person, as JSON',
  `Writes all that is stored about a user, deleted ones too, as one JSON document: each part with a word on what it is.
Secrets and their digests are left out, and so is what is about others. It reads the whole audit log.`,
  `Examples:
  $ npm run --silent cli -- person export jan@example.com > jan.json
  $ npm run cli -- person export --id 42 --file jan.json`,
);

const ERASE_HELP = commandHelp(
  'take the name and the addresses of a person out of the database',
  `Deletes the user, if that has not happened yet, and takes names and addresses out of users, contacts, invitations,
notifications, their recipients, waiting mails and the texts of the audit log. Ids stay. Cannot be undone. Says what was
touched, and where an address of the person still stands in what belongs to others. The last enabled admin stays. After
an interruption run it again.`,
  `Examples:
  $ npm run cli -- person erase jan@example.com --dry-run
  $ npm run cli -- person erase jan@example.com
  $ npm run cli -- person erase --id 42 --yes`,
);

interface PersonOptions extends CommonOptions {
  readonly id?: number;
}

const named = (username: string | undefined, { id }: PersonOptions): NamedPerson => ({ username, id });

export function declarePerson(cli: CommandLine): void {
  const person = cli.group('person', HELP);
  person
    .command('export', EXPORT_HELP)
    .argument('[username]', 'the user name, of a deleted user too')
    .option('--id <number>', 'the user of this id', identifier)
    .option('--file <file>', 'write it there, readable by its owner alone, instead of to standard output')
    .action(async (username: string | undefined, options: PersonOptions & { file?: string }) => {
      await exportPerson(readSettings(), cli.terminal, named(username, options), options.file);
    });
  person
    .command('erase', ERASE_HELP, 'dry-run')
    .argument('[username]', 'the user name, of a deleted user too')
    .option('--id <number>', 'the user of this id', identifier)
    .option('--yes', 'do not ask for confirmation')
    .action(async (username: string | undefined, options: PersonOptions & { yes?: boolean }) => {
      const { json = false, dryRun: isTrial = false, yes: isConfirmed = false } = options;
      const settings = readSettings();
      const signal = interruption();
      const who = named(username, options);
      await cli.run('person erase', json, (database) =>
        erasePerson({ settings, database, terminal: cli.terminal, who, isTrial, isConfirmed, signal }),
      );
    });
}
