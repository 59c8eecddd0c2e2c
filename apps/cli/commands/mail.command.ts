import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { JOBS } from '@app/platform/jobs/job-tables';
import { renderMail } from '@app/mail/mail-rendering';
import type { MailContent } from '@app/mail/mail.types';
import { type MailPayload, SEND_MAIL } from '@app/mail/outbox';
import { readSettings } from '../../../config/env';
import { commandHelp, type CommandLine, type CommonOptions, identifier } from '../command';
import type { Database } from '../database';
import { decodedMail, type DecodedMail } from '../decoded-mail';
import { CommandFailed, EXIT, type Outcome } from '../outcome';
import { printable, tableOf } from '../terminal';

/** Mails that the list names. */
const MOST_LISTED = 100;

/** Stand for what waits encrypted: the credentials of a mail's reader. */
const SEALED_VALUES = { link: '(sealed link)', code: '(sealed code)' };

interface WaitingMail {
  readonly id: number;
  readonly template: string;
  readonly to: string;
  readonly state: 'due' | 'later' | 'failed';
  readonly attempts: number;
  readonly runAt: Date;
  readonly lastError: string | null;
}

const WAITING = `
  SELECT id, payload ->> 'template' AS template, payload ->> 'to' AS to, attempts, run_at AS "runAt",
    CASE WHEN attempts >= max_attempts THEN 'failed' WHEN run_at > now() THEN 'later' ELSE 'due' END AS state,
    last_error AS "lastError"
  FROM ${JOBS} job WHERE task = $1 ORDER BY id DESC LIMIT ${MOST_LISTED}`;

async function listMails({ dataSource }: Database, folder: string): Promise<Outcome> {
  const mails = await dataSource.query<WaitingMail[]>(WAITING, [SEND_MAIL]);
  const files = filesIn(folder);
  return {
    exitCode: EXIT.ok,
    report: { mails, files },
    lines: [
      ...(mails.length === 0
        ? ['No mail waits']
        : tableOf([
            ['Id', 'Template', 'To', 'State', 'Tries', 'Next try', 'Last error'],
            ...mails.map(({ id, template, to, state, attempts, runAt, lastError }) => [
              String(id),
              printable(template),
              printable(to),
              state,
              String(attempts),
              state === 'failed' ? '' : runAt.toISOString().slice(0, 16).replace('T', ' '),
              printable((lastError ?? '').split('\n', 1)[0] ?? ''),
            ]),
          ])),
      ...files,
    ],
  };
}

/** The newest mails that were written because there is no mail server. */
function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    return names
      .sort()
      .reverse()
      .slice(0, MOST_LISTED)
      .map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function waitingMail({ dataSource }: Database, id: number): Promise<Outcome> {
  const [row] = await dataSource.query<{ payload: MailPayload }[]>(
    `SELECT payload FROM ${JOBS} job WHERE task = $1 AND id = $2`,
    [SEND_MAIL, id],
  );
  if (row === undefined) throw new CommandFailed(`no mail ${id} waits: \`mail show\` names those that do`);
  const { template, values, language, to } = row.payload;
  const shown = { ...SEALED_VALUES, ...values };
  const { subject, text } = renderMail({ template, values: shown } as MailContent, language);
  return outcomeOf({ to, subject, text });
}

const outcomeOf = (mail: DecodedMail): Outcome => ({
  exitCode: EXIT.ok,
  report: mail,
  lines: [
    `To: ${printable(mail.to)}`,
    `Subject: ${withoutControls(mail.subject)}`,
    '',
    ...mail.text.trimEnd().split('\n').map(withoutControls),
  ],
});

/** Names in mails are text of customers: no control character reaches the terminal. */
const withoutControls = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?');

const HELP = commandHelp('show mails', 'Shows mails that wait, were given up, or were written to a folder.');

const SHOW_HELP = commandHelp(
  'list mails, or show one decoded',
  `Without an argument lists the mails that wait or were given up (the last ${MOST_LISTED}), and the files of DATA_DIR/mail, where
mails go without a mail server. With an id or a file shows one, decoded. Links and codes of waiting mails stay sealed: they
belong to their readers. Files hold them, because there is no other way to read them.`,
  `Examples:
  $ npm run cli -- mail show
  $ npm run cli -- mail show 42
  $ npm run cli -- mail show .data/mail/42.eml`,
);

export function declareMail(cli: CommandLine): void {
  cli
    .group('mail', HELP)
    .command('show', SHOW_HELP)
    .argument('[mail]', 'id or file', mailName)
    .action(async (mail: number | string | undefined, { json = false }: CommonOptions) => {
      if (typeof mail === 'string') return cli.report(outcomeOf(fileOf(mail)), json);
      const folder = join(readSettings().dataDir, 'mail');
      await cli.run('mail show', json, (database) =>
        mail === undefined ? listMails(database, folder) : waitingMail(database, mail),
      );
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
    throw new CommandFailed(`can not read ${file} (${(error as NodeJS.ErrnoException).code ?? 'no mail'})`);
  }
}
