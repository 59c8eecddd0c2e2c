import type { TestService } from '../service/service';
import { makeSshKey, recordsOfUser } from './domain-records';
import { type MadeUser, makeOrganisation, makeUser, nextNumber } from './factories';
import { insertRow } from './insert-row';
import { makeInvitation } from './invitations-factories';
import { makeServiceKey } from './key-factories';
import { makeContact, makeTeam, register } from './records';

/** Stands in every text of a planted organisation. */
const MARK = 'zqplanted';

/** Ids of planted records: no time, amount or other id looks like them. */
const FIRST_ID = 700_000_000;
const TABLES = ['users', 'teams', 'contacts', 'service_keys', 'api_keys', 'ssh_keys', 'invitations'] as const;

/**
 * An organisation that never heard of those who give it grants. Its texts and the ids of its
 * records stand nowhere else.
 */
export interface PlantedOrganisation {
  readonly organisationId: number;
  readonly custadmin: MadeUser;
  readonly plain: MadeUser;
  /** Path parameters of its records, and of those of its plain user. */
  readonly records: Readonly<Record<string, number>>;
  readonly recordsOfUser: Readonly<Record<string, number>>;
  /** Its names as searches send them. */
  readonly names: readonly string[];
}

/**
 * From now on the records of {@link plantOrganisation} have ids of their own. Others make
 * none of these afterwards.
 */
export async function beginPlanting({ sql }: TestService): Promise<void> {
  for (const table of TABLES) await sql(`ALTER TABLE ${table} ALTER COLUMN id RESTART WITH ${FIRST_ID}`);
}

/** What a text tells of a planted organisation but for its id. */
export const plantedIn = (text: string): string[] => [
  ...new Set([
    ...(text.toLowerCase().match(new RegExp(`[\\w.@ -]*${MARK}[\\w.@ -]*`, 'g')) ?? []),
    ...(text.match(/\b7000\d{5}\b/g) ?? []),
  ]),
];

const word = (what: string): string => `${MARK}-${what}-${nextNumber()}`;

/** An organisation with something in every place that a reader of it sees. */
export async function plantOrganisation(service: TestService): Promise<PlantedOrganisation> {
  const name = word('organisation');
  const organisationId = await makeOrganisation(service, { name });
  await service.sql`UPDATE organisations SET tax_number = ${word('tax')}, street = ${word('street')},
    city = ${word('city')}, information = ${word('note')} WHERE id = ${organisationId}`;
  const person = (roles: readonly string[]) =>
    makeUser(service, {
      organisationId,
      username: `${word('user')}@planted.example`,
      firstName: word('first'),
      lastName: word('last'),
      roles,
    });
  const custadmin = await person(['ROLE_CUSTADMIN']);
  const plain = await person(['ROLE_FINANCE']);
  const teamName = word('team');
  const userIds = [custadmin.id, plain.id];
  const systemId = FIRST_ID + nextNumber();
  await register(service, { kind: 'system', id: systemId, name: word('system'), organisationId });
  const contact = (userId?: number) =>
    makeContact(service, {
      organisationId,
      ...(userId !== undefined && { userId }),
      name: `${word('contact')}@planted.example`,
      groups: ['System'],
    });
  await contact(custadmin.id);
  await insertRow(service, 'notifications', {
    organisation_id: organisationId,
    customer_id: organisationId,
    notification_group: 'Crm',
    type: word('type'),
    entity_class: 'Organisation',
    entity_id: organisationId,
    entity_name: name,
    subject: word('subject'),
  });
  return {
    organisationId,
    custadmin,
    plain,
    records: {
      teamId: await makeTeam(service, organisationId, { name: teamName, userIds }),
      contactId: await contact(),
      sshkeyId: await makeSshKey(service, { organisationId }),
      serviceKeyId: (await makeServiceKey(service, organisationId, { name: word('service-key') })).id,
      invitationId: (
        await makeInvitation(service, {
          organisationId,
          inviterId: custadmin.id,
          email: `${word('invited')}@planted.example`,
        })
      ).id,
      entityId: systemId,
    },
    recordsOfUser: await recordsOfUser(service, { organisationId, userId: plain.id }),
    names: [name, teamName, plain.username, MARK],
  };
}

/**
 * Changes all that a grantee may keep to itself: names, roles, factors, use, how many users there are, and
 * whether anybody of it can log in.
 */
export async function changePlanted(
  service: TestService,
  { organisationId, custadmin, plain }: PlantedOrganisation,
): Promise<void> {
  const { sql } = service;
  await sql`UPDATE organisations SET name = ${word('renamed')}, required_2fa = true WHERE id = ${organisationId}`;
  await sql`UPDATE users SET username = ${`${word('renamed')}@planted.example`}, roles = '{}', enabled = false
    WHERE id = ${custadmin.id}`;
  await sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x', roles = '{ROLE_CUSTADMIN}' WHERE id = ${plain.id}`;
  await sql`UPDATE logins SET last_used_at = now() + interval '1 minute' WHERE user_id = ${plain.id}`;
  await sql`DELETE FROM passkeys WHERE user_id = ${plain.id}`;
  await sql`DELETE FROM api_keys WHERE user_id = ${plain.id}`;
  await sql`DELETE FROM service_keys WHERE organisation_id = ${organisationId}`;
  for (let made = 0; made < 3; made++)
    await makeUser(service, { organisationId, username: `${word('user')}@planted.example` });
}
