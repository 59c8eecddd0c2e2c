import type { EntityManager } from 'typeorm';
import type { SecretsKeyring } from '@app/core/secrets/encryption';
import type { Database } from '../database';
import { CommandFailed, EXIT, type Outcome } from '../outcome';
import { tableOf } from '../table';
import type { Terminal } from '../terminal';
import { verify } from './verify/verify';
import { dropLinkMails, releaseJobs, waitingMails, type WaitingMail } from './waiting-mails';

/** Rows of one transaction: each leaves a row in the audit log. */
const BATCH = 5000;

/** How many waiting mails are shown to people; `--json` has all of them. */
const SHOWN_MAILS = 50;

const isOpen = 'ended_at IS NULL AND expires_at > now()';

/** What let somebody in when the backup was made, and may have been ended since. */
const ENDINGS = {
  logins: {
    table: 'logins',
    live: 'expires_at > now()',
    end: 'DELETE FROM logins',
  },
  trustedDevices: {
    table: 'trusted_devices',
    live: 'expires_at > now()',
    end: 'DELETE FROM trusted_devices',
  },
  resetLinks: {
    table: 'recovery_requests',
    live: isOpen,
    end: 'UPDATE recovery_requests SET ended_at = now()',
  },
  restorationLinks: {
    table: 'name_restorations',
    live: isOpen,
    end: 'UPDATE name_restorations SET ended_at = now()',
  },
} as const;

type Ended = Record<keyof typeof ENDINGS, number>;

/** What goes on as the backup has it, also where it was withdrawn since. */
const KEPT = `
  SELECT (SELECT count(*)::integer FROM api_keys WHERE expires_at > now()) AS "apiKeys",
    (SELECT count(*)::integer FROM recovery_codes WHERE used_at IS NULL) AS "recoveryCodes",
    (SELECT count(*)::integer FROM invitations
      WHERE accepted_at IS NULL AND deleted_at IS NULL AND expires_at > now()) AS "openInvitations"`;

/** Workers have connections of this name. */
const WORKERS = `SELECT count(*)::integer AS workers FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'account-api-jobs'`;

export interface Restoration {
  readonly database: Database;
  readonly keyring: SecretsKeyring;
  readonly terminal: Terminal;
  /** Asks whether to go on. */
  readonly confirm: (question: string) => Promise<boolean>;
}

/** Ends what a restored database would let in again, tells which mails may go out twice, and looks it through. */
export async function afterRestore({ database, keyring, terminal, confirm }: Restoration): Promise<Outcome> {
  const manager = database.dataSource.manager;
  const [{ workers }] = await manager.query<[{ workers: number }]>(WORKERS);
  const live = await countedLive(manager);
  const question = `This ends ${amountsOf(live)}. It is meant for a database that was just restored, before the service starts on it.`;
  if (!(await confirm(question))) throw new CommandFailed('not confirmed: nothing was changed');
  if (workers > 0) terminal.say('a worker is connected already: some of the mails may have gone out');
  else await releaseJobs(manager);
  const ended: Ended = { logins: 0, trustedDevices: 0, resetLinks: 0, restorationLinks: 0 };
  for (const name of namesOf(ENDINGS)) ended[name] = await endAll(database, name);
  const droppedMails = await database.transactions.run(dropLinkMails);
  const mails = await waitingMails(manager);
  const [kept] = await manager.query<[Record<string, number>]>(KEPT);
  const verified = await verify({ database, keyring, terminal, fixes: false });
  return {
    exitCode: verified.exitCode,
    report: { ended, droppedMails, mayGoOutTwice: mails, kept, verify: verified.report },
    lines: [
      `Ended ${amountsOf(ended)}`,
      `Took back ${droppedMails} waiting mails whose links have ended`,
      ...mailLines(mails),
      `As the backup has them: ${amountsOf(kept)}. What was revoked, replaced or used since works again`,
      '',
      ...verified.lines,
      ...(verified.exitCode === EXIT.ok ? [] : ['`verify --fix` repairs what follows from other rows']),
    ],
  };
}

const namesOf = (endings: typeof ENDINGS): (keyof typeof ENDINGS)[] =>
  Object.keys(endings) as (keyof typeof ENDINGS)[];

async function countedLive(manager: EntityManager): Promise<Record<string, number>> {
  const counts = namesOf(ENDINGS).map((name) => {
    const { table, live } = ENDINGS[name];
    return `(SELECT count(*)::integer FROM ${table} WHERE ${live}) AS "${name}"`;
  });
  const [row] = await manager.query<Record<string, number>[]>(`SELECT ${counts.join(', ')}`);
  return row ?? {};
}

/** Those that are there now: the service may run, and what it lets in from here on is new. */
async function endAll({ dataSource, transactions }: Database, name: keyof typeof ENDINGS): Promise<number> {
  const { table, end } = ENDINGS[name];
  const condition = end.startsWith('UPDATE') ? isOpen : 'true';
  const [row] = await dataSource.query<{ last: number | null }[]>(`SELECT max(id) AS last FROM ${table}`);
  const last = row?.last ?? 0;
  for (let ended = 0; ;) {
    const [, count] = await transactions.run((manager) =>
      manager.query<[unknown, number]>(
        `${end} WHERE id IN (SELECT id FROM ${table} WHERE id <= $1 AND ${condition} ORDER BY id LIMIT ${BATCH})`,
        [last],
      ),
    );
    ended += count;
    if (count < BATCH) return ended;
  }
}

/** "3 logins, 1 reset link". */
function amountsOf(amounts: Record<string, number>): string {
  return Object.entries(amounts)
    .map(([name, amount]) => `${amount} ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
    .join(', ')
    .replaceAll('api keys', 'API keys');
}

function mailLines(mails: readonly WaitingMail[]): string[] {
  if (mails.length === 0) return ['No mail waits: none goes out twice'];
  const shown = mails.slice(0, SHOWN_MAILS);
  return [
    `${mails.length} mails were waiting when the backup was made, and go out again if they were sent since:`,
    ...tableOf([
      ['Job', 'Kind', 'To', 'Waits since', 'Tries'],
      ...shown.map(({ jobId, kind, to, queuedAt, tries }) => [
        String(jobId),
        kind,
        to,
        queuedAt.toISOString().slice(0, 16).replace('T', ' '),
        String(tries),
      ]),
    ]),
    ...(mails.length > shown.length ? [`… and ${mails.length - shown.length} more: --json has all`] : []),
  ];
}
