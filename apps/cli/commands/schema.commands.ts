import { migrate } from '@app/migrations/migrate';
import { roleSettingStatements } from '@app/platform/database/database.module';
import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine, type CommonOptions } from '../command';
import { connected, pendingMigrations, withDatabaseUrl } from '../database';
import { EXIT } from '../outcome';

const MIGRATE_HELP = commandHelp(
  `Brings the schema of the database up to date. The service does the same at each start; run it before that to see
a migration through by hand. Safe beside running services and beside itself.`,
  `Examples:
  $ npm run cli -- migrate --dry-run      # name the migrations that would run
  $ npm run cli -- migrate`,
);

export function declareMigrate(cli: CommandLine): void {
  const command = cli.command('migrate', MIGRATE_HELP, 'dry-run');
  command.action(async ({ json = false, dryRun = false }: CommonOptions) => {
    const migrations = await withDatabaseUrl(readSettings(), cli.terminal, (databaseUrl, pooler) =>
      dryRun
        ? connected({ databaseUrl, pooler }, pendingMigrations)
        : migrate(databaseUrl, pooler, { say: (line) => cli.terminal.say(line) }),
    );
    const done = migrations.length === 0 ? 'The schema is up to date' : `${dryRun ? 'Would run' : 'Ran'}:`;
    cli.report({ exitCode: EXIT.ok, report: { dryRun, migrations }, lines: [done, ...migrations] }, json);
  });
}

const ROLE_HELP = commandHelp(
  `Gives the role of the service, in its database, the time limits of requests: a pooler in transaction mode keeps
no limits that a session sets. They hold for every new connection of the role that sets no others, psql included. Needed
once with DATABASE_POOLER=transaction, and again after an upgrade that changes them; of no use otherwise.`,
  `Examples:
  $ npm run cli -- database-role-settings --dry-run   # show the statements
  $ npm run cli -- database-role-settings`,
);

export function declareDatabaseRoleSettings(cli: CommandLine): void {
  const command = cli.command('database-role-settings', ROLE_HELP, 'dry-run');
  command.action(async ({ json = false, dryRun = false }: CommonOptions) => {
    await cli.run('database-role-settings', json, async ({ dataSource }) => {
      const statements = await roleSettingStatements(dataSource);
      if (!dryRun) for (const statement of statements) await dataSource.query(statement);
      const lines = [
        dryRun ? 'Would run:' : 'Ran:',
        ...statements,
        'Connections that a pooler holds already keep their old limits: RECONNECT in its console',
      ];
      return { exitCode: EXIT.ok, report: { dryRun, statements }, lines };
    });
  });
}
