import type { EntityManager } from 'typeorm';
import type { Settings } from '@app/config/settings';
import { isPlainEmailAddress } from '@app/formats/email-address';
import type { MailLanguage } from '@app/mail/mail.types';
import { renderMail } from '@app/mail/mail-rendering';
import { Outbox } from '@app/mail/outbox';
import type { Sender } from '@app/mail/sender';
import { secretsKeyOf, SecretsKeyring } from '@app/security/secrets/encryption';
import type { CommandRun } from '../../database';
import { WrongUse } from '../../outcome';
import { printable } from '../../terminal';
import { type Announcement, announcementMail } from './announcement-texts';
import type { PlannedOrganisation } from './plan';

interface Recipient {
  readonly to: string;
  readonly language: MailLanguage;
}

/**
 * Result for an organisation: a mail now, none because of an earlier one, or none because it has no contact.
 */
type State = 'told' | 'toldBefore' | 'nobodyToTell';

interface Told {
  readonly organisationId: number;
  readonly name: string | null;
  readonly state: State;
  readonly recipients: readonly Recipient[];
  /** One mail in each language of the recipients. */
  readonly mails: readonly {
    readonly language: MailLanguage;
    readonly subject: string;
    readonly text: string;
  }[];
}

/**
 * The recipients of notifications of the group System: contacts of the organisation $1 and of its CUSTADMINs.
 */
const RECIPIENTS = `
  SELECT DISTINCT ON (fold_case(c.name)) c.name AS "to", coalesce(u.language, 'nl') AS language
  FROM organisations o
  JOIN contacts c ON c.organisation_id = o.id AND c.type = 'email' AND 'System' = ANY (c.groups)
  LEFT JOIN users u ON u.id = c.user_id
  WHERE o.id = $1 AND o.deleted_at IS NULL
    AND (c.user_id IS NULL OR (u.enabled AND u.deleted_at IS NULL AND 'ROLE_CUSTADMIN' = ANY (u.roles)))
  ORDER BY fold_case(c.name), c.user_id NULLS LAST, c.id`;

const isDue = (announcedAt: string): string => `${announcedAt} <= now() - interval '30 days'`;

/**
 * Returns a row if the organisation $1 gets mails now. A second command waits for this row
 * and then finds it announced.
 */
const CLAIM = `
  INSERT INTO variant_announcements AS told (organisation_id) VALUES ($1)
  ON CONFLICT ON CONSTRAINT variant_announcements_pkey DO UPDATE SET announced_at = now()
    WHERE ${isDue('told.announced_at')}
  RETURNING told.organisation_id`;

const TOLD_BEFORE = `SELECT 1 FROM variant_announcements WHERE organisation_id = $1 AND NOT ${isDue('announced_at')}`;

/** Values that all announcements of a run share. */
type Ending = Pick<Announcement, 'days' | 'deprecated' | 'sunset' | 'brownouts' | 'docs'>;

export function endingOf({ variantBEnd, publicUrl }: Settings, days: number): Ending {
  const { deprecated, sunset, brownouts } = variantBEnd;
  if (deprecated === undefined || sunset === undefined)
    throw new WrongUse('the mail contains the dates: set VARIANT_B_DEPRECATED and VARIANT_B_SUNSET');
  const ahead = brownouts.filter(({ end }) => end.getTime() > Date.now());
  return { days, deprecated, sunset, brownouts: ahead, docs: `${publicUrl}/docs` };
}

/**
 * Announces the end of Variant B to the organisations of a plan, each in its own transaction with its mails,
 * so that the next run continues after an interruption. A trial changes nothing.
 */
export async function announce(
  { transactions, ctx, settings }: CommandRun,
  plan: readonly PlannedOrganisation[],
  ending: Ending,
  isTrial: boolean,
): Promise<Told[]> {
  const outbox = isTrial ? undefined : new Outbox(SecretsKeyring.parse(secretsKeyOf(settings)), settings);
  const told: Told[] = [];
  for (const organisation of plan) {
    told.push(
      await transactions.run(ctx, (manager) => tell(manager, organisation, ending, settings, outbox)),
    );
  }
  return told;
}

async function tell(
  manager: EntityManager,
  { organisationId, name, programs, exemptUntil }: PlannedOrganisation,
  ending: Ending,
  sender: Sender,
  outbox: Outbox | undefined,
): Promise<Told> {
  const contacts = await manager.query<Recipient[]>(RECIPIENTS, [organisationId]);
  const recipients = contacts.filter(({ to }) => isPlainEmailAddress(to));
  const state = await stateOf(manager, organisationId, recipients, outbox !== undefined);
  if (state !== 'told') return { organisationId, name, state, recipients, mails: [] };
  const announcement: Announcement = {
    ...ending,
    organisation: name ?? '',
    programs: programs.map(({ program }) => program),
    exemptUntil: exemptUntil === null ? null : new Date(exemptUntil),
  };
  for (const recipient of recipients)
    await outbox?.queue(manager, {
      ...announcementMail(announcement, recipient.language),
      ...recipient,
      organisationId,
    });
  const mails = [...new Set(recipients.map(({ language }) => language))].map((language) => {
    const { subject, text } = renderMail(announcementMail(announcement, language), language, sender);
    return { language, subject, text };
  });
  return { organisationId, name, state, recipients, mails };
}

async function stateOf(
  manager: EntityManager,
  organisationId: number,
  recipients: readonly Recipient[],
  claims: boolean,
): Promise<State> {
  if (recipients.length === 0) return 'nobodyToTell';
  const rows = await manager.query<unknown[]>(claims ? CLAIM : TOLD_BEFORE, [organisationId]);
  return rows.length > 0 === claims ? 'told' : 'toldBefore';
}

const STATES: Readonly<Record<State, string>> = {
  told: 'mail to',
  toldBefore: 'told in the last 30 days:',
  nobodyToTell: 'has no e-mail contact with the group System',
};

/** Lines for people. They contain the mails only in a dry run, which sends none. */
export function announcementLines(told: readonly Told[], isTrial: boolean): string[] {
  const count = (state: State): number => told.filter((one) => one.state === state).length;
  return [
    ...told.flatMap(({ organisationId, name, state, recipients, mails }) => [
      printable(
        `${organisationId} ${name ?? '(unknown)'}: ${STATES[state]} ${recipients
          .map(({ to, language }) => `${to} (${language})`)
          .join(', ')}`.trimEnd(),
      ),
      ...(isTrial
        ? mails.flatMap(({ subject, text }) => ['', `  ${printable(subject)}`, ...indented(text)])
        : []),
    ]),
    `${count('told')} organisations ${isTrial ? 'would be told' : 'are told'}, ${count('toldBefore')} were told before, ${count('nobodyToTell')} have nobody to tell`,
  ];
}

const indented = (text: string): string[] =>
  ['', ...text.split('\n')].map((line) => (line === '' ? '' : `  ${printable(line)}`));
