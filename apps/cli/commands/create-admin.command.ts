import { Option } from 'commander';
import { isPlainEmailAddress } from '@app/formats/email-address';
import { withAsciiDomain } from '@app/formats/email-domains';
import { ensureOperatorOrganisation } from '@app/people/organisations/organisation.types';
import { type Language, LANGUAGES } from '@app/people/users/user.types';
import { PERSON_NAME_RULES } from '@app/people/users/user-names';
import { createUser } from '@app/people/users/user-rows';
import { brokenRule } from '@app/platform/dto/text-rules';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import { commandHelp, type CommandLine } from '../command';
import type { CommandRun } from '../database';
import {
  givenPassword,
  newPassword,
  PASSWORD_RULES,
  type PasswordOptions,
  withPasswordOptions,
} from '../new-password';
import { CommandFailed, type Outcome, WrongUse } from '../outcome';
import { reasonOf } from '../refusal';

interface AdminOptions extends PasswordOptions {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
}

/** Throws {@link WrongUse} for values that do not allow a login in both variants. */
function checkNewAdmin({ username, firstName, lastName }: AdminOptions): void {
  if (!isPlainEmailAddress(username)) throw new WrongUse('--username must be an e-mail address');
  if (firstName.trim() === '' || lastName.trim() === '') throw new WrongUse('a name must not be empty');
  const wrongName = brokenRule(PERSON_NAME_RULES, firstName) ?? brokenRule(PERSON_NAME_RULES, lastName);
  if (wrongName !== undefined) throw new WrongUse(wrongName.message);
}

/** Creates a user of the operator organisation with all rights. */
async function createAdmin(
  { ctx, transactions, settings }: CommandRun,
  { username, firstName, lastName, language }: AdminOptions,
  password: string | undefined,
): Promise<Outcome> {
  const { hash: passwordHash, report, lines } = await newPassword(password, username, settings.bcryptCost);
  const names = { username, firstName, lastName, language };
  const owned = { organisationId: OPERATOR_ORGANISATION, roles: ['ROLE_ADMIN'] as const };
  try {
    const id = await transactions.run(ctx, async (manager) => {
      await ensureOperatorOrganisation(manager);
      return createUser(manager, { ...names, ...owned, passwordHash });
    });
    const created = `Created the admin ${username} (user ${id})`;
    return { report: { id, username, ...report }, lines: [created, ...lines] };
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : new CommandFailed(`the admin cannot be created: ${reason}`);
  }
}

const HELP = commandHelp(
  `Creates a user of the operator organisation with ROLE_ADMIN, and that organisation if it is missing. Without a
password one is generated and shown once. A password must satisfy the rules of both variants: ${PASSWORD_RULES}.`,
  `Examples:
  $ npm run cli -- create-admin --username jan@operator.example
  $ npm run cli -- create-admin --username jan@operator.example --password-stdin < password.txt`,
);

export function declare(cli: CommandLine): void {
  withPasswordOptions(
    cli
      .command('create-admin', HELP)
      .requiredOption('--username <address>', 'e-mail address to log in with', withAsciiDomain),
  )
    .option('--first-name <name>', 'first name', 'Operator')
    .option('--last-name <name>', 'last name', 'Admin')
    .addOption(new Option('--language <language>', 'of mails').choices(LANGUAGES).default('en'))
    .action(async (options: AdminOptions) => {
      const password = await givenPassword(options);
      checkNewAdmin(options);
      await cli.run((run) => createAdmin(run, options, password));
    });
}
