import { Option } from 'commander';
import { LANGUAGES, type Language } from '@app/users/languages';
import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine, type CommonOptions } from '../command';
import { readLine } from '../read-line';
import { checkNewAdmin, createAdmin } from './create-admin';

const HELP = commandHelp(
  'create a user who may do everything',
  `Creates a user of the operator organisation with ROLE_ADMIN, and that organisation where it is missing. Without a
password one is made up and shown once. A password must satisfy the rules of both variants: 9 to 29 characters with a
digit, a capital letter and a special character, without spaces, colons and quotes.`,
  `Examples:
  $ npm run cli -- create-admin --username jan@operator.example
  $ npm run cli -- create-admin --username jan@operator.example --password-stdin < password.txt`,
);

interface AdminOptions extends CommonOptions {
  readonly username: string;
  readonly password?: string;
  readonly passwordStdin?: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
}

export function declareCreateAdmin(cli: CommandLine): void {
  cli
    .command('create-admin', HELP)
    .requiredOption('--username <address>', 'e-mail address to log in with')
    .addOption(
      new Option('--password <password>', 'others on the machine may see it').conflicts('passwordStdin'),
    )
    .option('--password-stdin', 'read the password from the first line of standard input')
    .option('--first-name <name>', 'first name', 'Operator')
    .option('--last-name <name>', 'last name', 'Admin')
    .addOption(new Option('--language <language>', 'of mails').choices(LANGUAGES).default('en'))
    .action(async ({ json = false, passwordStdin = false, ...options }: AdminOptions) => {
      const { username, firstName, lastName, language } = options;
      const password = passwordStdin ? await readLine(process.stdin, 'the password') : options.password;
      const admin = { username, password, firstName, lastName, language };
      checkNewAdmin(admin);
      const { bcryptCost } = readSettings();
      await cli.run('create-admin', json, (database) => createAdmin(database, bcryptCost, admin));
    });
}
