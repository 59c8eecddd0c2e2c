import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { type MailContent, SEND_MAIL } from '@app/mail/mail.types';
import { renderMail } from '@app/mail/mail-rendering';
import type { MailPayload } from '@app/mail/outbox';
import { type Sender, senderOf } from '@app/mail/sender';
import { JOBS } from '@app/platform/jobs/job-tables';
import { type CommandLine, identifier, memberHelp } from '../command';
import type { CommandRun } from '../database';
import { type DecodedMail, decodedMail } from '../decoded-mail';
import { CommandFailed, type Outcome } from '../outcome';
import { inAscii, printable, tableOf } from '../terminal';

/** Maximum mails in the list. */
const MOST_LISTED = 100;

/** Placeholders for encrypted values: the credentials in a mail. */
const SEALED_VALUES = { link: '(sealed link)', code: '(sealed code)' };

const WAITING = `
  SELECT id, payload, attempts, run_at AS "runAt",
    CASE WHEN attempts >= max_attempts THEN 'failed' WHEN run_at > now() THEN 'later' ELSE 'due' END AS state,
    last_error AS "lastError"
  FROM ${JOBS} job WHERE task = $1 ORDER BY id DESC LIMIT ${MOST_LISTED}`;

interface WaitingRow {
  readonly id: number;
  readonly payload: MailPayload;
  readonly state: 'due' | 'later' | 'failed';
  readonly attempts: number;
  readonly runAt: Date;
  readonly lastError: string | null;
}

async function listMails({ dataSource, settings }: CommandRun): Promise<Outcome> {
  const waiting = await dataSource.query<WaitingRow[]>(WAITING, [SEND_MAIL]);
  const mails = waiting.map(({ payload, ...row }) => {
    const { to, subject } = mailOf(payload, settings);
    return { ...row, template: payload.template, to, subject };
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
  const [row] = await dataSource.query<{ payload: MailPayload }[]>(
    `SELECT payload FROM ${JOBS} job WHERE task = $1 AND id = $2`,
    [SEND_MAIL, id],
  );
  if (row === undefined)
    throw new CommandFailed(`no mail ${id} is waiting: \`mail show\` lists the waiting mails`);
  return outcomeOf(mailOf(row.payload, settings));
}

function mailOf({ template, values, language, to, origin }: MailPayload, settings: Sender): DecodedMail {
  // Links to documents wait unencrypted, but only their reader should see them.
  const shown = { ...SEALED_VALUES, ...values, ...('links' in values && { links: '(links not shown)' }) };
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
