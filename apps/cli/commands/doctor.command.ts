import { OperatorError, SettingError } from '@app/config/operator-errors';
import type { Settings } from '@app/config/settings';
import { startWarnings } from '@app/config/start-warnings';
import { hasEmbeddedPostgres } from '@app/embedded-postgres/embedded-postgres';
import { isPlainEmailAddress } from '@app/formats/email-address';
import { withAsciiDomain } from '@app/formats/email-domains';
import { LONG_LIMITS } from '@app/platform/database/database-limits';
import { explain } from '@app/platform/process/run-process';
import { readCheckedSettings } from '@app/service/checked-settings';
import { fault, type Finding, ok, warning } from '@app/service/deployment/findings';
import {
  type Checks,
  DATABASE_CHECKS,
  OLDEST_BACKUP,
  publicAnswer,
  SURROUNDING_CHECKS,
} from '../checks/deployment-checks';
import { commandHelp, type CommandLine } from '../command';
import { connected, schemaState, withDatabaseUrl } from '../database';
import { EXIT, type Outcome, WrongUse } from '../outcome';
import { tableOf, type Terminal } from '../terminal';

interface DoctorOptions {
  readonly mail?: string;
  readonly backup?: string;
}

/** A finding with the name of its check. */
type Named = Finding & { readonly check: string };

async function examine(terminal: Terminal, options: DoctorOptions): Promise<Named[]> {
  let settings: Settings;
  try {
    settings = await readCheckedSettings();
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const remedy = 'docs/settings.md; everything else is checked once the settings are right';
    return error.faults.map((found) => ({ check: 'settings', ...fault(found, remedy) }));
  }
  const warnings = startWarnings(settings);
  return [
    ...(warnings.length === 0 ? [{ check: 'settings', ...ok('no fault') }] : []),
    ...warnings.map((found) => ({ check: 'settings', state: 'warning' as const, found })),
    ...(await databaseFindings(settings, terminal)),
    ...(await findingsOf(SURROUNDING_CHECKS, { settings, ...options, answer: await publicAnswer(settings) })),
  ];
}

async function findingsOf<Subject>(checks: Checks<Subject>, subject: Subject): Promise<Named[]> {
  const findings: Named[] = [];
  for (const [name, find] of Object.entries(checks)) {
    const found = await find(subject);
    if (found !== undefined) findings.push({ check: name, ...found });
  }
  return findings;
}

async function databaseFindings(settings: Settings, terminal: Terminal): Promise<Named[]> {
  if (settings.databaseUrl === undefined && !hasEmbeddedPostgres(settings.dataDir)) {
    const remedy = 'npm start creates it; with customers, set DATABASE_URL';
    return [{ check: 'database', ...warning(`none yet in DATA_DIR ${settings.dataDir}`, remedy) }];
  }
  try {
    return await withDatabaseUrl(settings, terminal, (databaseUrl) =>
      connected(databaseUrl, LONG_LIMITS, async (dataSource) => {
        const schema = await schemaState(dataSource);
        const { length: pending } = schema.pending;
        return findingsOf(DATABASE_CHECKS, { settings, databaseUrl, dataSource, schema, pending });
      }),
    );
  } catch (error) {
    const [text = ''] = explain(error);
    const check = text.includes('pooler') ? 'pooler' : 'database';
    const found = text.split('\n', 1)[0] ?? '';
    const remedy = error instanceof OperatorError ? undefined : 'check DATABASE_URL and the server';
    return [{ check, ...fault(found, remedy) }];
  }
}

function outcomeOf(findings: readonly Named[]): Outcome {
  const faults = findings.filter(({ state }) => state === 'fault').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  return {
    exitCode: faults === 0 ? EXIT.ok : EXIT.someRowsRefused,
    report: { isWell: faults === 0, findings },
    lines: [
      ...tableOf(
        ['Check', 'State', 'Found', 'What to do'],
        findings.map(({ check, state, found, remedy = '' }) => [check, state, found, remedy]),
      ),
      `${faults} ${faults === 1 ? 'fault' : 'faults'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
    ],
  };
}

const HELP = commandHelp(
  `Checks the settings, the database with its role, schema, keys and pooler, jobs, the mail server, PUBLIC_URL, CORS, proxies,
the clock and the disk, and says what to do. Run it with the settings of the service. It changes nothing.`,
  `Exit code 3: there is a fault. Warnings do not count.

Examples:
  $ npm run cli -- doctor
  $ npm run cli -- doctor --mail you@example.com             # sends a test mail
  $ npm run cli -- doctor --backup /var/backups/account.dump # checks that it is not older than ${OLDEST_BACKUP} hours`,
);

export function declare(cli: CommandLine): void {
  cli
    .command('doctor', HELP)
    .option('--mail <address>', 'send a test mail to this address', withAsciiDomain)
    .option('--backup <file>', 'check the age of this file')
    .action(async (options: DoctorOptions) => {
      if (options.mail !== undefined && !isPlainEmailAddress(options.mail))
        throw new WrongUse('--mail must be an e-mail address');
      cli.report(outcomeOf(await examine(cli.terminal, options)));
    });
}
