import type { CommandLine } from './command';
import { declareAfterRestore } from './commands/after-restore.command';
import { declareAudit } from './commands/audit.command';
import { declareCreateAdmin } from './commands/create-admin.command';
import { declareDatabaseRoleSettings } from './commands/database-role-settings.command';
import { declareImportApiKeys } from './commands/import-apikeys.command';
import { declareImportContacts } from './commands/import-contacts.command';
import { declareImportEntities } from './commands/import-entities.command';
import { declareImportOrganisations } from './commands/import-organisations.command';
import { declareImportReport } from './commands/import-report.command';
import { declareImportSshKeys } from './commands/import-sshkeys.command';
import { declareImportUsers } from './commands/import-users.command';
import { declareLogins } from './commands/logins.command';
import { declareMigrate } from './commands/migrate.command';
import { declarePerson } from './commands/person.command';
import { declareRotateSecrets } from './commands/rotate-secrets.command';
import { declareVerify } from './commands/verify/verify.command';
import { declareVariants } from './commands/variants.command';

/** Every command, in the order of `--help`. Each reads the settings only when it runs, so that help needs none. */
export const COMMANDS: readonly ((cli: CommandLine) => void)[] = [
  declareMigrate,
  declareCreateAdmin,
  declareImportOrganisations,
  declareImportUsers,
  declareImportContacts,
  declareImportSshKeys,
  declareImportApiKeys,
  declareImportEntities,
  declareImportReport,
  declareRotateSecrets,
  declareLogins,
  declareAudit,
  declareVerify,
  declareAfterRestore,
  declarePerson,
  declareVariants,
  declareDatabaseRoleSettings,
];
