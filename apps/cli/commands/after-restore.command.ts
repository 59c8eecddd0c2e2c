import type { EntityManager } from 'typeorm';
import type { RestoredList } from '@app/lifecycle/after-restore';
import type { ListedErasure } from '@app/records/privacy/erasures';
import type { SecretsKeyring } from '@app/security/secrets/encryption';
import { TABLE_RULES } from '@app/service/extensions.module';
import { commandHelp, type CommandLine } from '../command';
import type { CommandRun } from '../database';
import { CommandFailed, EXIT, type Outcome } from '../outcome';
import { type Cell, readLine, tableOf } from '../terminal';
import { eraseAgain, readErasures } from './erasure-list';
import { skipUsedCounters } from './restored-counters';
import { dropLinkMails, releaseJobs, type WaitingMail, waitingMails } from './restored-mails';
import { usableKeyring, verify, VERIFY_LIMITS } from './verify.command';

/** Rows of one transaction. Each adds a row to the audit log. */
const BATCH = 5000;

/** Maximum rows of a list for people; `--json` has all of them. */
const MAX_SHOWN = 50;

const isOpen = 'ended_at IS NULL AND expires_at > now()';

/** Credentials at the time of the backup. They may have been revoked since. */
const ENDINGS: readonly Ending[] = TABLE_RULES.flatMap(({ table, afterRestore: rule }) =>
  typeof rule === 'object' && 'ends' in rule
    ? [{ name: rule.ends, table, isDeleted: rule.by === 'deletion' }]
    : [],
);

interface Ending {
  readonly name: string;
  readonly table: string;
  readonly isDeleted: boolean;
}

/** Credentials and rights that stay as in the backup, even if they were withdrawn since. */
const KEPT = TABLE_RULES.flatMap(({ table, afterRestore: rule }) =>
  typeof rule === 'object' && 'keeps' in rule ? [{ table, ...rule }] : [],
);

const COUNT_KEPT = `SELECT ${KEPT.flatMap(({ table, keeps }) =>
  Object.entries(keeps).map(
    ([name, condition]) => `(SELECT count(*)::integer FROM ${table} WHERE ${condition}) AS "${name}"`,
  ),
).join(', ')}`;

/** Those of them that the operator has to look at one by one. */
const LISTS = KEPT.flatMap(({ lists }) => lists ?? []);

/** The connections of workers have this name. */
const WORKERS = `SELECT count(*)::integer AS workers FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'account-api-jobs'`;

interface Restored {
  readonly list: RestoredList;
  readonly rows: readonly never[];
}

interface Restoration {
  readonly keyring: SecretsKeyring;
  /** Whether the operator has confirmed already. */
  readonly isConfirmed: boolean;
  /** The erasures up to the loss of the database, if a list of them exists. */
  readonly erasures: readonly ListedErasure[] | undefined;
}

/** Ends revoked credentials of a restored database, lists mails that may go out twice, and runs `verify`. */
async function afterRestore(
  run: CommandRun,
  { keyring, isConfirmed, erasures }: Restoration,
): Promise<Outcome> {
  const { terminal, transactions, ctx } = run;
  const { manager } = run.dataSource;
  const [{ workers }] = await manager.query<[{ workers: number }]>(WORKERS);
  const live = await countedLive(manager);
  const again = erasures === undefined ? '' : ` and erases ${erasures.length} users again`;
  const question = `This ends ${amountsOf(live)}${again}. It is meant for a database that was just restored, before the service starts on it.`;
  if (!isConfirmed) {
    terminal.say(`${question} Type yes to continue:`);
    const answer = await readLine(process.stdin, 'the answer (or use --yes)');
    if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailed('not confirmed: nothing was changed');
  }
  if (workers > 0) terminal.say('a worker is connected already: some of the mails may have been sent');
  else await releaseJobs(manager);
  await skipUsedCounters(manager);
  const ended: Record<string, number> = {};
  for (const ending of ENDINGS) ended[ending.name] = await endAll(run, ending);
  const droppedMails = await transactions.run(ctx, dropLinkMails);
  const replay = erasures && (await eraseAgain(run, erasures));
  const mails = await waitingMails(manager);
  const [kept] = await manager.query<[Record<string, number>]>(COUNT_KEPT);
  const lists: Restored[] = [];
  for (const list of LISTS) lists.push({ list, rows: await manager.query<never[]>(list.statement) });
  const verified = await verify(run, keyring, false);
  return {
    exitCode: (replay?.report.notErased.length ?? 0) > 0 ? EXIT.someRowsRefused : verified.exitCode,
    report: {
      ended,
      ...(replay !== undefined && { erasures: replay.report }),
      droppedMails,
      mayGoOutTwice: mails,
      kept,
      ...Object.fromEntries(lists.map(({ list, rows }) => [list.name, rows])),
      verify: verified.report,
    },
    lines: [
      `Ended ${amountsOf(ended)}`,
      ...(replay?.lines ?? []),
      `Withdrew ${droppedMails} waiting mails whose links have ended`,
      ...mailLines(mails),
      `As the backup has them: ${amountsOf(kept)}. What was revoked, replaced or used since the backup works again`,
      ...lists.flatMap(({ list: { head, cells }, rows }) => listed(head, rows.map(cells))),
      '',
      ...verified.lines,
      ...(verified.exitCode === EXIT.ok ? [] : ['`verify --fix` repairs what follows from other rows']),
    ],
  };
}

async function countedLive(manager: EntityManager): Promise<Record<string, number>> {
  const counts = ENDINGS.map(({ name, table, isDeleted }) => {
    const isLive = isDeleted ? 'expires_at > now()' : isOpen;
    return `(SELECT count(*)::integer FROM ${table} WHERE ${isLive}) AS "${name}"`;
  });
  const [row] = await manager.query<Record<string, number>[]>(`SELECT ${counts.join(', ')}`);
  return row ?? {};
}

/** Ends the rows that exist now. Rows that a running service adds meanwhile are new. */
async function endAll(
  { dataSource, ctx, transactions }: CommandRun,
  { table, isDeleted }: Ending,
): Promise<number> {
  const [end, condition] = isDeleted
    ? [`DELETE FROM ${table}`, 'true']
    : [`UPDATE ${table} SET ended_at = now()`, isOpen];
  const [row] = await dataSource.query<{ last: number | null }[]>(`SELECT max(id) AS last FROM ${table}`);
  const last = row?.last ?? 0;
  for (let ended = 0; ;) {
    const [, count] = await transactions.run(ctx, (manager) =>
      manager.query<[unknown, number]>(
        `${end} WHERE id IN (SELECT id FROM ${table} WHERE id <= $1 AND ${condition} ORDER BY id LIMIT ${BATCH})`,
        [last],
      ),
    );
    ended += count;
    if (count < BATCH) return ended;
  }
}

/** For example "3 logins, 1 reset link". */
function amountsOf(amounts: Record<string, number>): string {
  return Object.entries(amounts)
    .map(([name, amount]) => `${amount} ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
    .join(', ')
    .replaceAll('api keys', 'API keys');
}

/** A table of the first rows; empty without rows. */
const listed = (head: readonly string[], rows: readonly (readonly Cell[])[]): string[] =>
  rows.length === 0
    ? []
    : tableOf(head, rows, { most: MAX_SHOWN, more: (left) => `… and ${left} more: --json has all` });

function mailLines(mails: readonly WaitingMail[]): string[] {
  if (mails.length === 0) return ['No mail is waiting: none is sent twice'];
  return [
    `${mails.length} mails were waiting when the backup was made. Those that were sent since are sent again:`,
    ...listed(
      ['Job', 'Kind', 'To', 'Waits since', 'Tries'],
      mails.map(({ jobId, kind, to, queuedAt, tries }) => [jobId, kind, to, queuedAt, tries]),
    ),
  ];
}

const HELP = commandHelp(
  `In a restored database, credentials that ended after the backup are valid again. This command ends all logins, trusted
devices, reset links and links that verify a user name, and withdraws waiting mails with such links.
It lists other mails that may be sent twice, and then runs the checks of \`verify\`. New events get ids that no reader of the feed has seen, and records
get entity tags that no client has. Run it before the service starts on the restored database. API keys, service keys,
webhooks, recovery codes, open invitations, links to documents, grants, suspensions, teams, passwords and roles stay as in
the backup; it lists the suspensions, and the grants with what they allow. With the list of \`person erasures\` it erases those users of the backup
again, reports users that it does not have or could not erase, and never gives an id of the list to a new user.`,
  `Asks before it changes anything, except with --yes. Exit code 3: done, but \`verify\` found errors, or a user could not
be erased.

Examples:
  $ npm run cli -- after-restore
  $ npm run cli -- after-restore --yes --json --erasures erasures.csv`,
);

interface AfterRestoreOptions {
  readonly yes?: boolean;
  readonly erasures?: string;
}

export function declare(cli: CommandLine): void {
  cli
    .command('after-restore', HELP)
    .option('--yes', 'do not ask')
    .option('--erasures <file>', 'erase the users in this list of `person erasures` again')
    .action(async ({ yes: isConfirmed = false, erasures: file }: AfterRestoreOptions) => {
      const keyring = usableKeyring();
      const erasures = file === undefined ? undefined : await readErasures(file);
      await cli.run((run) => afterRestore(run, { keyring, isConfirmed, erasures }), VERIFY_LIMITS);
    });
}
