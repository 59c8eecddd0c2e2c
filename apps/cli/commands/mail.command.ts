import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { MailContent } from '@app/mail/mail.types';
import { JOBS_OF_STORED_MAILS, RELEASE_MAILS } from '@app/mail/mail-jobs';
import { renderMail } from '@app/mail/mail-rendering';
import { type Sender, senderOf } from '@app/mail/sender';
import type { StoredMail } from '@app/mail/stored-mail.entity';
import { JOBS } from '@app/platform/jobs/job-tables';
import { type CommandLine, identifier, memberHelp } from '../command';
import type { CommandRun } from '../database';
import { type DecodedMail, decodedMail } from '../decoded-mail';
import { CommandFailed, type Outcome } from '../outcome';
import { inAscii, printable, tableOf } from '../terminal';

/** Maximum mails in the list. */
const MOST_LISTED = 100;

/** Placeholders for encrypted values: the credentials in a mail. */
const ENCRYPTED_VALUES = { link: '(encrypted link)', code: '(encrypted code)' };

const CONTENT = 'm.template, m.address, m.language, m.texts, m.origin';

/** A mail without a job waits in the line of its customer, and so for a job of that. */
const WAITING = `
  SELECT m.id, ${CONTENT}, coalesce(job.attempts, 0) AS attempts, coalesce(due.run_at, m.created_at) AS "runAt",
    CASE WHEN job.attempts >= job.max_attempts THEN 'failed' WHEN due.run_at > now() THEN 'later' ELSE 'due' END AS state,
    job.last_error AS "lastError"
  FROM mails m
  LEFT JOIN ${JOBS_OF_STORED_MAILS} job ON job.mail_id = m.id
  CROSS JOIN LATERAL (SELECT coalesce(job.run_at, m.waits_until, (
    SELECT min(release.run_at) FROM ${JOBS} release
    WHERE m.queued_at IS NULL AND release.task = '${RELEASE_MAILS}'
      AND release.payload ->> 'customerId' = m.customer_id::text)) AS run_at) due
  ORDER BY m.id DESC LIMIT ${MOST_LISTED}`;

type WaitingContent = Pick<StoredMail, 'template' | 'address' | 'language' | 'texts' | 'origin'>;

interface WaitingRow extends WaitingContent {
  readonly id: number;
  readonly state: 'due' | 'later' | 'failed';
  readonly attempts: number;
  readonly runAt: Date;
  readonly lastError: string | null;
}

async function listMails({ dataSource, settings }: CommandRun): Promise<Outcome> {
  const waiting = await dataSource.query<WaitingRow[]>(WAITING);
  const mails = waiting.map((row) => {
    const { to, subject } = mailOf(row, settings);
    const { id, attempts, runAt, state, lastError, template } = row;
    return { id, attempts, runAt, state, lastError, template, to, subject };
  });
  const files = filesIn(join(settings.dataDir, 'mail'));
  const rows = [
    ...mails.map(({ id, runAt, to, subject, state, attempts, lastError }) => {
      const [error = ''] = (lastError ?? '').split('\n', 1);
      return [id, runAt, inAscii(to), subject, `${state}, ${attempts} tries`, inAscii(error)];
    }),
    ...files.map(({ file, writtenAt, to, subject }) => [
      file,
      writtenAt,
      inAscii(to),
      subject,
      'written',
      '',
    ]),
  ];
  const head = ['Id', 'When', 'To', 'Subject', 'State', 'Last error'];
  return {
    report: { mails, files: files.map(({ file }) => file) },
    lines: rows.length === 0 ? ['No mail waits'] : tableOf(head, rows),
  };
}

/**
 * The mails that were written to files because there is no mail server, newest first. `mail
 * show` takes a file like an id.
 */
function filesIn(folder: string) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => ({ file: join(folder, name), writtenAt: statSync(join(folder, name)).mtime }))
    .sort((one, other) => other.writtenAt.getTime() - one.writtenAt.getTime())
    .slice(0, MOST_LISTED)
    .map((written) => ({ ...written, ...headOf(written.file) }));
}

/** Empty for a file that is not a mail. */
function headOf(file: string): Pick<DecodedMail, 'to' | 'subject'> {
  try {
    return fileOf(file);
  } catch {
    return { to: '', subject: '' };
  }
}

async function waitingMail({ dataSource, settings }: CommandRun, id: number): Promise<Outcome> {
  const [row] = await dataSource.query<WaitingContent[]>(`SELECT ${CONTENT} FROM mails m WHERE id = $1`, [
    id,
  ]);
  if (row === undefined)
    throw new CommandFailed(`no mail ${id} is waiting: \`mail show\` lists the waiting mails`);
  return outcomeOf(mailOf(row, settings));
}

function mailOf(
  { template, texts, language, address: to, origin }: WaitingContent,
  settings: Sender,
): DecodedMail {
  // Links to documents wait unencrypted, but only their reader should see them.
  const shown = { ...ENCRYPTED_VALUES, ...texts, ...('links' in texts && { links: '(links not shown)' }) };
  const sender = senderOf(settings, origin);
  const { subject, text } = renderMail({ template, values: shown } as MailContent, language, sender);
  return { to, subject, text };
}

const outcomeOf = (mail: DecodedMail): Outcome => ({
  report: mail,
  lines: [
    `To: ${inAscii(mail.to)}`,
    `Subject: ${printable(mail.subject)}`,
    '',
    ...mail.text.trimEnd().split('\n').map(printable),
  ],
});

const SHOW_HELP = memberHelp(
  'list mails, or show one decoded',
  `Without an argument, lists mails that are waiting or have failed (the last ${MOST_LISTED}), with the time of the next try, and
the files of DATA_DIR/mail, to which mails are written without a mail server. With an id or a file, shows that mail
decoded. Links and codes of waiting mails are not shown, because they belong to the readers. Files contain them.`,
  `Examples:
  $ npm run cli -- mail show
  $ npm run cli -- mail show 42
  $ npm run cli -- mail show .data/mail/42.eml`,
);

export function declare(cli: CommandLine): void {
  cli
    .group('mail', 'Shows mails that are waiting, have failed, or were written to a folder.')
    .command('show', SHOW_HELP)
    .argument('[mail]', 'id or file', mailName)
    .action((mail: number | string | undefined) => {
      if (typeof mail === 'string') return cli.report(outcomeOf(fileOf(mail)));
      return cli.run((run) => (mail === undefined ? listMails(run) : waitingMail(run, mail)));
    });
}

function mailName(text: string): number | string {
  if (text.endsWith('.eml')) return text;
  try {
    return identifier(text);
  } catch {
    throw new InvalidArgumentError('It must be the id of a mail, or a file that ends in .eml.');
  }
}

function fileOf(file: string): DecodedMail {
  try {
    return decodedMail(readFileSync(file, 'latin1'));
  } catch (error) {
    throw new CommandFailed(`cannot read ${file} (${(error as NodeJS.ErrnoException).code ?? 'no mail'})`);
  }
}
