import { openedMail, type StoredContent } from '@app/mail/outbox';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { ApiClient } from '../service/client';
import { type ReachableService, TEST_SECRETS_KEY } from '../service/service';
import { clientOf, type MadeUser, nextNumber, PASSWORD } from './factories';

export interface InvitationOptions {
  readonly organisationId: number;
  readonly inviterId: number;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly language?: string;
  readonly autoRoles?: readonly string[];
  readonly autoTeams?: readonly number[];
  /** PostgreSQL interval from now; negative: expired. */
  readonly validFor?: string;
  readonly state?: 'accepted' | 'deleted';
}

export interface MadeInvitation {
  readonly id: number;
  readonly organisationId: number;
  readonly email: string;
  readonly token: string;
}

/** An invitation, written straight to the database, and its token. */
export async function makeInvitation(
  service: ReachableService,
  options: InvitationOptions,
): Promise<MadeInvitation> {
  const token = newSecret();
  const email = options.email ?? `invited${nextNumber()}@example.com`;
  const [row] = await service.sql<{ id: number }>(
    `INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, language, auto_roles,
       auto_teams, token_digest, expires_at, accepted_at, deleted_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10::interval,
       CASE WHEN $11 = 'accepted' THEN now() END, CASE WHEN $11 = 'deleted' THEN now() END) RETURNING id`,
    [
      options.organisationId,
      options.inviterId,
      email,
      options.firstName ?? 'Jan',
      options.lastName ?? 'de Vries',
      options.language ?? 'nl',
      options.autoRoles ?? [],
      options.autoTeams ?? [],
      digestOf(token),
      options.validFor ?? '30 days',
      options.state ?? null,
    ],
  );
  return { id: row?.id as number, organisationId: options.organisationId, email, token };
}

/** The body that registers with an invitation. */
export const registrationOf = (invitation: MadeInvitation, password: string) => ({
  email: invitation.email,
  organisationId: invitation.organisationId,
  inviationId: invitation.id,
  password,
});

export interface QueuedMail {
  readonly template: string;
  readonly language: string;
  readonly expiresAt: string | undefined;
  readonly values: Record<string, string>;
}

/** The mails that wait to be sent to an address, oldest first, with their secrets opened. */
export async function queuedMails(service: ReachableService, to: string): Promise<QueuedMail[]> {
  const keyring = SecretsKeyring.parse(TEST_SECRETS_KEY);
  const mails = await service.sql<StoredContent & { language: string; expiresAt: Date | null }>(
    `SELECT template, address, language, texts, encrypted, message_id AS "messageId", expires_at AS "expiresAt"
     FROM mails WHERE address = $1 ORDER BY id`,
    [to],
  );
  return mails.map((mail) => ({
    template: mail.template,
    language: mail.language,
    expiresAt: mail.expiresAt?.toISOString(),
    values: openedMail(keyring, mail).content.values,
  }));
}

/** An invitation that was made through the API. */
export type SentInvitation = Omit<MadeInvitation, 'token'>;

/** Invites a mailbox to the organisation. */
export async function inviteBy(client: ApiClient, organisationId: number): Promise<SentInvitation> {
  const email = `mailbox${nextNumber()}@agency.example`;
  const { body } = await client
    .post(`/organisations/${organisationId}/invitations`, { email, firstName: 'Eva', lastName: 'Maes' })
    .expect(201);
  return { id: (body as { invitation: { id: number } }).invitation.id, organisationId, email };
}

/** Registers with the newest mail of the invitation. */
export async function registerInvited(
  service: ReachableService,
  invitation: SentInvitation,
): Promise<MadeUser> {
  const mails = await queuedMails(service, invitation.email);
  const token = /[0-9a-f]{64}/.exec(mails.at(-1)?.values['link'] ?? '')?.[0] ?? 'none';
  const { body } = await new ApiClient(service.url)
    .post(`/registerInvitation/${token}`, registrationOf({ ...invitation, token }, PASSWORD))
    .expect(201);
  const { id } = (body as { user: { id: number } }).user;
  const { organisationId, email: username } = invitation;
  return { id, organisationId, username, client: await clientOf(service, id) };
}
