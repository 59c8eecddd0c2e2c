import type { ReachableService } from '../service/service';
import { type MadeUser, makeUser } from './factories';

/**
 * Amounts that the interface does not limit, or so widely that fewer rows, of the largest size, show as much.
 */
const USERS = 1100;
const ORGANISATIONS = 120;
const LARGE_ORGANISATIONS = 4;
const USERS_OF_LARGE = 700;
const LOGINS = 1000;
const NOTIFICATIONS = 400;
/** More than are shown. */
const RECIPIENTS = 2100;
const DELIVERIES = 1000;
export const MAIL_GROUPS = 105;

/** Amounts that the service limits, and sizes: docs/limits.md, rule login 72. */
const OWN = {
  contacts: 50,
  sshKeys: 100,
  apiKeys: 50,
  devices: 20,
  recoveryCodes: 10,
  passkeys: 10,
} as const;
const OF_ORGANISATION = {
  contacts: 50,
  sshKeys: 200,
  teams: 200,
  invitations: 1000,
  serviceKeys: 50,
  webhooks: 20,
} as const;
/** Of a service key. */
const OPERATIONS = 100;
const WHITELIST = 100;
/** Of a webhook. */
const EVENTS = 100;
const DOMAINS = 1000;
/** Of most mail groups. */
const SOME_DOMAINS = 8;
const LARGE_MAIL_GROUPS = 1;

/** The operator organisation, which is filled: an admin reads all of it, and its own things there. */
const OPERATOR = 1;

/** What the paths of the interface name. */
export type LargestRecords = Readonly<Record<string, number>> & { readonly userId: number };

/** SQL for the id of each record that a path may name. */
const idsOf = (userId: number): Readonly<Record<string, string>> => ({
  organisationId: `SELECT ${OPERATOR}`,
  userId: `SELECT ${userId}`,
  teamId: 'SELECT min(id) FROM teams',
  contactId: `SELECT min(id) FROM contacts WHERE user_id = ${userId}`,
  organisationContactId: 'SELECT min(id) FROM contacts WHERE user_id IS NULL',
  invitationId: 'SELECT min(id) FROM invitations',
  sshkeyId: `SELECT min(id) FROM ssh_keys WHERE user_id = ${userId}`,
  organisationSshkeyId: 'SELECT min(id) FROM ssh_keys WHERE user_id IS NULL',
  token2faId: 'SELECT min(id) FROM trusted_devices',
  apiKeyId: 'SELECT min(id) FROM api_keys',
  serviceKeyId: 'SELECT min(id) FROM service_keys',
  webhookId: 'SELECT min(id) FROM webhooks',
  passkeyId: 'SELECT min(id) FROM passkeys',
  grantId: `SELECT min(id) FROM acls WHERE grantee_id = ${OPERATOR}`,
});

const text = (length: number): string => `repeat('→', ${length})`;
const series = (count: number): string => `FROM generate_series(1, ${count}) n`;

/** Rows as large as they may be, and as many: written past the triggers, which would log each of them. */
export async function makeLargestRecords(
  service: ReachableService,
): Promise<{ ids: LargestRecords; self: MadeUser; admins: readonly MadeUser[] }> {
  const admin = (): Promise<MadeUser> =>
    makeUser(service, { organisationId: OPERATOR, roles: ['ROLE_ADMIN'] });
  const self = await admin();
  const admins = [self, await admin(), await admin(), await admin()];
  await service.sql(
    `INSERT INTO organisations (name, tax_number, parent_id, street, house_number, zip, city, external_id,
       remarks_to_print_invoice, before_first_order, source1, source2, information)
     SELECT ${text(255)}, ${text(64)}, ${OPERATOR}, ${text(255)}, ${text(32)}, ${text(32)}, ${text(255)}, ${text(255)},
       ${text(4000)}, ${text(255)}, ${text(255)}, ${text(255)}, ${text(4000)} ${series(ORGANISATIONS)}`,
  );
  const large = `FROM (SELECT id FROM organisations WHERE id > ${OPERATOR} ORDER BY id LIMIT ${LARGE_ORGANISATIONS}) o`;
  const user = (organisation: string, unique: string): string => `${organisation},
    'u' || ${unique} || '@' || repeat('x', 220) || '.example', ${text(255)}, ${text(255)}, '{ROLE_MAIL}', '-'`;
  const columns = 'organisation_id, username, first_name, last_name, roles, password_hash';
  await service.sql(`SET session_replication_role = replica`);
  const statements = [
    `INSERT INTO users (${columns}) SELECT ${user(String(OPERATOR), 'n')} ${series(USERS)}`,
    `INSERT INTO users (${columns}) SELECT ${user('o.id', `o.id || '-' || n`)}
     ${large}, generate_series(1, ${USERS_OF_LARGE}) n`,
    `INSERT INTO teams (organisation_id, name) SELECT ${OPERATOR}, rpad('team ' || n, 255, 'x')
     ${series(OF_ORGANISATION.teams)}`,
    `INSERT INTO team_members (team_id, user_id)
     SELECT t.id, u.id FROM (SELECT min(id) AS id FROM teams) t, users u WHERE u.organisation_id = ${OPERATOR}`,
    `INSERT INTO team_members (team_id, user_id)
     SELECT id, ${self.id} FROM teams WHERE id > (SELECT min(id) FROM teams)`,
    `INSERT INTO entities (kind, object_id, organisation_id, name, domains)
     SELECT 'mailgroup', n, ${OPERATOR}, ${text(255)}, (SELECT jsonb_agg(jsonb_build_object('id', d, 'name',
       ${text(255)}, 'mailPrimary', false, 'domaintype', jsonb_build_object('id', 1, 'name', ${text(255)}, 'extension', 'nl')))
       FROM generate_series(1, CASE WHEN n > ${LARGE_MAIL_GROUPS} THEN ${SOME_DOMAINS} ELSE ${DOMAINS} END) d) ${series(MAIL_GROUPS)}`,
    `INSERT INTO team_entities (team_id, kind, object_id)
     SELECT (SELECT min(id) FROM teams), 'mailgroups', n ${series(MAIL_GROUPS)}`,
    `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
     SELECT ${OPERATOR}, owner.id, 'email', rpad('c' || n, 254, 'x'), rpad('c' || n, 254, 'x'),
       '{System,Domain,App,Finance,Job,Crm,Mail}' ${series(OWN.contacts)}, (VALUES (${self.id}), (NULL)) owner (id)`,
    `INSERT INTO ssh_keys (organisation_id, user_id, description, type, blob, bits, comment, fingerprint, key_digest)
     SELECT CASE WHEN n > ${OWN.sshKeys} THEN ${OPERATOR} END, CASE WHEN n <= ${OWN.sshKeys} THEN ${self.id} END,
       ${text(255)}, 'ssh-rsa', convert_to(repeat('k', 2060), 'UTF8'), 16384, ${text(16_200)}, md5(n::text),
       sha256(n::text::bytea) ${series(OWN.sshKeys + OF_ORGANISATION.sshKeys)}`,
    `INSERT INTO api_keys (user_id, name, digest, whitelist, expires_at)
     SELECT ${self.id}, ${text(255)}, sha256(n::text::bytea),
       (SELECT array_agg('2001:db8:1111:2222:3333:4444:5555:' || w) FROM generate_series(1, ${WHITELIST}) w),
       now() + interval '1 day' ${series(OWN.apiKeys)}`,
    `INSERT INTO service_keys (organisation_id, name, digest, operations, reaches_beneath, as_admin, whitelist, expires_at)
     SELECT ${OPERATOR}, ${text(255)}, sha256(('service' || n)::bytea), array_fill('organisations.readBilling'::text, ARRAY[${OPERATIONS}]),
       true, true, (SELECT array_agg('2001:db8:1111:2222:3333:4444:5555:' || w) FROM generate_series(1, ${WHITELIST}) w),
       now() + interval '1 day' ${series(OF_ORGANISATION.serviceKeys)}`,
    `INSERT INTO webhooks (organisation_id, customer_id, url, events, encrypted_secret, last_error, made_after)
     SELECT ${OPERATOR}, ${OPERATOR}, ${text(2000)}, array_fill('organisations.updated'::text, ARRAY[${EVENTS}]), 'encrypted', ${text(255)}, 0
     ${series(OF_ORGANISATION.webhooks)}`,
    `INSERT INTO webhook_deliveries (webhook_id, message_id, event, body, error)
     SELECT (SELECT min(id) FROM webhooks), gen_random_uuid(), rpad('', 64, 'x'), '{}', ${text(255)} ${series(DELIVERIES)}`,
    `INSERT INTO logins (user_id, digest, expires_at, address, user_agent, os, browser)
     SELECT ${self.id}, sha256(n::text::bytea), now() + interval '1 day', '2001:db8::1', ${text(512)}, ${text(128)},
       ${text(128)} ${series(LOGINS)}`,
    `INSERT INTO trusted_devices (user_id, digest, user_agent, address, os, browser, expires_at)
     SELECT ${self.id}, sha256(n::text::bytea), rpad('agent ' || n, 512, 'x'), '2001:db8::1', ${text(128)}, ${text(128)},
       now() + interval '1 day' ${series(OWN.devices)}`,
    `INSERT INTO passkeys (user_id, name, credential_id, public_key, counter, backed_up, backup_eligible,
       rp_id)
     SELECT ${self.id}, ${text(255)}, rpad('credential ' || n, 1023, 'x')::bytea, rpad('k', 2048, 'x')::bytea, n, true, true,
       rpad('panel.', 253, 'x') ${series(OWN.passkeys)}`,
    `INSERT INTO user_preferences (user_id, shortcuts) SELECT ${self.id}, json_build_array(json_build_object('x', repeat('y', 16000)))`,
    `INSERT INTO brands (organisation_id, name, support_url, panel_url, colour, link_key)
     VALUES (${OPERATOR}, ${text(100)}, rpad('https://help.example/', 2000, 'x'), rpad('https://panel.example/', 2000, 'x'), '#1a56a8',
       gen_random_uuid())`,
    `INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at)
     SELECT ${OPERATOR}, ${self.id}, rpad('i' || n, 254, 'x'), ${text(255)}, ${text(255)}, sha256(n::text::bytea),
       now() + interval '1 day' ${series(OF_ORGANISATION.invitations)}`,
    `INSERT INTO notifications (organisation_id, customer_id, notification_group, type, entity_class, entity_id, entity_name,
       user_id, subject, params)
     SELECT ${OPERATOR}, ${OPERATOR}, 'Crm', ${text(255)}, ${text(64)}, n, ${text(255)}, ${self.id}, ${text(255)},
       jsonb_build_object('text', repeat('z', 16000)) ${series(NOTIFICATIONS)}`,
    `INSERT INTO notification_recipients (notification_id, contact_id, full_name, language, type, value, status, message, hash)
     SELECT (SELECT min(id) FROM notifications), n, ${text(511)}, 'nl', 'email', rpad('r' || n, 255, 'x'), 'failed',
       ${text(255)}, gen_random_uuid() ${series(RECIPIENTS)}`,
    `INSERT INTO acls (organisation_id, grantee_id) SELECT ${OPERATOR}, id FROM organisations WHERE id > ${OPERATOR}`,
    `INSERT INTO acls (organisation_id, grantee_id, access, only_teams)
     SELECT id, ${OPERATOR}, 'manage', true FROM organisations WHERE id > ${OPERATOR} ORDER BY id LIMIT 1000`,
    `INSERT INTO acl_teams (acl_id, team_id) SELECT a.id, t.id FROM acls a, teams t WHERE a.grantee_id = ${OPERATOR}`,
  ];
  try {
    for (const statement of statements) await service.sql(statement);
  } finally {
    await service.sql(`SET session_replication_role = DEFAULT`);
  }
  const selected = Object.entries(idsOf(self.id)).map(([name, id]) => `(${id}) AS "${name}"`);
  const [ids] = await service.sql<LargestRecords>(`SELECT ${selected.join(', ')}`);
  return { ids: ids as LargestRecords, self, admins };
}

/** Users of the filled organisation, and of its filled team, beside those, past the triggers too. */
export async function addUsers(service: ReachableService, count: number): Promise<void> {
  await service.sql(`SET session_replication_role = replica`);
  try {
    await service.sql(
      `INSERT INTO users (organisation_id, username, first_name, last_name, roles, password_hash)
       SELECT ${OPERATOR}, 'more' || n || '@' || repeat('x', 220) || '.example', repeat('x', 255), repeat('x', 255), '{}', '-'
       ${series(count)}`,
    );
    await service.sql(
      `INSERT INTO team_members (team_id, user_id)
       SELECT t.id, u.id FROM (SELECT min(id) AS id FROM teams) t, users u WHERE u.organisation_id = ${OPERATOR}
       ON CONFLICT DO NOTHING`,
    );
  } finally {
    await service.sql(`SET session_replication_role = DEFAULT`);
  }
}

/** How many users the filled organisation shows, made or not. */
export const usersOfOperator = async (service: ReachableService): Promise<number> =>
  (
    await service.sql<{ count: number }>(
      `SELECT count(*)::integer FROM users WHERE organisation_id = ${OPERATOR} AND deleted_at IS NULL`,
    )
  )[0]?.count as number;
