import { webhookSecretContext } from '@app/feeds/webhooks/webhook-signature';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { makeCustomer, makeOrganisation, makeUser } from '../support/factories/factories';
import { makeInvitation } from '../support/factories/invitations-factories';
import { makeContact, makeNotification } from '../support/factories/records';
import { treeAndOracle } from '../support/generators/tree-oracle';
import { type CliResult, runCli } from '../support/service/cli';
import { TEST_SECRETS_KEY, useServicePerTest } from '../support/service/service';

interface ReportedCheck {
  readonly name: string;
  readonly found: number;
  readonly repaired: number;
  readonly left: number;
  readonly mayStay: boolean;
  readonly examples?: readonly string[];
}

const service = useServicePerTest('A');

const verify = (...flags: string[]): Promise<CliResult> =>
  runCli(service.database, ['verify', '--json', ...flags]);

/** The checks that found something. */
function foundBy({ report }: CliResult): ReportedCheck[] {
  return (report['checks'] as ReportedCheck[]).filter(({ found, left }) => found > 0 || left > 0);
}

const summaryOf = (result: CliResult): Record<string, string> =>
  Object.fromEntries(foundBy(result).map(({ name, found, left }) => [name, `${found}, ${left} left`]));

/** Writes past every trigger and foreign key, as a fault of the disk or a hand at psql may. */
async function damage(...statements: string[]): Promise<void> {
  await service.sql(`SET session_replication_role = replica`);
  for (const statement of statements) await service.sql(statement);
  await service.sql(`SET session_replication_role = DEFAULT`);
}

/** The triggers that guard or keep each thing, and the checks that would notice if one failed. */
const NOTICED_BY: Readonly<Record<string, string>> = {
  audit_change: 'nothing: a row that is missing in the audit log leaves no trace elsewhere',
  audit_deletes: 'nothing: as audit_change',
  audit_inserts: 'nothing: as audit_change',
  bind_login_link_key: 'nothing: a link that it let be made ends after ten minutes',
  count_billing_version: 'nothing: as count_version',
  count_brand_change: 'nothing: a process that keeps a brand too long looks it up again when it starts',
  count_teams_of_grant: 'nothing: `onlyTeams` of a grant shows it to its grantor',
  count_version: 'nothing: an entity tag is compared with the next one alone',
  end_links_and_logins_of_key: 'nothing: `link_stands` judges the key of a login at every request',
  end_login_links_of_suspended: 'nothing: as bind_login_link_key',
  end_login_links_of_user: 'nothing: as bind_login_link_key',
  end_out_of_reach: 'grants, service keys from above, webhooks from above, invitations from above',
  end_recovery_codes: 'recovery codes',
  end_support_beyond_access: 'nothing: the guard judges the consent at every request',
  end_support_of_user: 'nothing: the guard judges staff member and user at every request',
  end_support_without_factor: 'nothing: the guard judges the second factor of staff at every request',
  end_with_passkey: 'nothing: as end_support_without_factor',
  forget_event_audience: 'nothing: a row without an event is shown to nobody',
  hold_audit_exception: 'nothing: it keeps the log as it is, but for what is erased or past its time',
  hold_key_of_user: 'nothing: a key is in the list of its user',
  hold_login_link: 'nothing: as bind_login_link_key',
  hold_support_login: 'nothing: as end_support_beyond_access',
  hold_team_of_grant: 'nothing: a grant is looked up for users of its grantee alone',
  keep_device_token: 'nothing: a device without its older tokens asks for a code once more',
  keep_customer_of_webhooks: 'customers of webhooks',
  keep_default_price_group: 'nothing: a price group that is gone is missed by who looks for it',
  keep_newest_document_links: 'nothing: more links of a contact to a document open no more than one does',
  keep_one_admin: 'enabled admin',
  limit_grants_of_customer: 'nothing: more of them than one customer gives are ended by who received them',
  limit_price_groups: 'nothing: more of them than admins can make are in nobody’s way',
  limit_rows: 'amount: …',
  link_inserted_organisations: 'circles, closure, beneath counts, customers, tree depth, deleted links',
  lock_organisation_tree: 'nothing: it keeps two changes apart',
  lock_support_access: 'nothing: it keeps two changes apart',
  make_room: 'amount: …',
  make_room_for_challenge: 'nothing: a challenge ends after five minutes',
  make_room_for_login: 'nothing: more logins of a user open no more than one does',
  make_room_for_network: 'nothing: networks of more than 20 are told once more, and go after 30 days',
  make_room_of_caller: 'nothing: what is too much goes after 24 hours',
  note_acting_organisation: 'nothing: as audit_change',
  note_event_audience: 'nothing: an event without it is missed by who follows them',
  note_support: 'nothing: as audit_change',
  note_waiting_deliveries: 'due webhooks',
  notification_follows_deliveries: 'notification states',
  organisation_tree_update: 'circles, closure, beneath counts, customers, tree depth, deleted links',
  place_with_customer: 'customers',
  record_audit_exception: 'nothing: as audit_change',
  refuse_audit_change: 'nothing: it keeps the log as it is',
  refuse_former_username: 'former names',
  refuse_test_clock: 'nothing: assertTestClockFits asks at each start',
  refuse_user_of_deleted_organisation: 'users of deleted organisations',
  stamp_change: 'nothing: the time of a change stands nowhere else',
  take_event_place: 'nothing: as note_event_audience',
  take_place_of_stored_response: 'nothing: as make_room_of_caller',
  notify_end_of_grant: 'nothing: a mail that is missing is missed by who waits for it',
};

it('cli verify notices the failure of every trigger, or a reason stands here why not', async () => {
  const functions = await service.sql<{ name: string }>(
    `SELECT DISTINCT p.proname AS name FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
     JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  expect(functions.map(({ name }) => name).sort()).toEqual(Object.keys(NOTICED_BY).sort());
});

it('cli verify finds nothing in a database that the service wrote, and --fix changes nothing', async () => {
  const { organisationId, plain } = await makeCustomer(service, {
    resellerId: await makeOrganisation(service),
  });
  await makeContact(service, { organisationId, userId: plain.id });
  await makeInvitation(service, { organisationId, inviterId: plain.id });
  const table = await runCli(service.database, ['verify']);
  expect(table.exitCode).toBe(0);
  expect(table.output).toMatch(/^Check +Found +Repaired +Left +For example\n/);
  expect(table.output.trimEnd().split('\n').at(-1)).toBe('Everything agrees');
  const result = await verify('--fix');
  expect(result).toMatchObject({ exitCode: 0, report: { isWhole: true }, messages: [] });
  expect(foundBy(result)).toEqual([]);
});

it('cli verify --fix repairs organisation_closure, beneath_count, customer_id and grants from the links', async () => {
  const top = await makeOrganisation(service);
  const other = await makeOrganisation(service);
  const below = await makeOrganisation(service, { parentId: top });
  const leaf = await makeOrganisation(service, { parentId: below, resellerId: other });
  const [{ id }] = (await service.sql(
    `SELECT nextval(pg_get_serial_sequence('webhooks', 'id'))::integer AS id`,
  )) as [{ id: number }];
  const encrypted = SecretsKeyring.parse(TEST_SECRETS_KEY).encrypt('secret', webhookSecretContext(id));
  await damage(
    // Leaf is not beneath top any more, top is beneath other, and what was made in leaf was made by whom it
    // does not lie beneath.
    `DELETE FROM organisation_closure WHERE ancestor_id = ${top} AND descendant_id = ${leaf}`,
    `INSERT INTO organisation_closure (ancestor_id, descendant_id) VALUES (${other}, ${top})`,
    `UPDATE organisations SET beneath_count = 7 WHERE id = ${below}`,
    `UPDATE organisations SET customer_id = ${other} WHERE id IN (${below}, ${leaf})`,
    `INSERT INTO acls (organisation_id, grantee_id, made_by_organisation) VALUES (${leaf}, ${below}, ${leaf})`,
    `INSERT INTO service_keys (organisation_id, name, digest, operations, expires_at, made_by_organisation)
     VALUES (${leaf}, 'k', sha256('k'), '{users.list}', now() + interval '1 day', ${leaf})`,
    `INSERT INTO webhooks (id, organisation_id, customer_id, url, events, encrypted_secret, made_after, made_by_organisation)
     VALUES (${id}, ${leaf}, ${other}, 'https://receiver.example/', '{*}', '${encrypted}', 0, ${leaf})`,
    `INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at,
       made_by_organisation)
     VALUES (${leaf}, 1, 'late@example.com', 'J', 'V', sha256('i'), now() + interval '1 day', ${leaf})`,
  );
  const looked = await verify();
  expect(looked).toMatchObject({ exitCode: 3, report: { isWhole: false } });
  expect(summaryOf(looked)).toEqual({
    closure: '2, 2 left',
    'beneath counts': '3, 3 left',
    customers: '2, 2 left',
    grants: '1, 1 left',
    'service keys from above': '1, 1 left',
    'webhooks from above': '1, 1 left',
    'invitations from above': '1, 1 left',
  });
  const [closure] = foundBy(looked);
  const differences = [`${leaf} beneath ${top} is missing`, `${top} beneath ${other} without a link`];
  expect(new Set(closure?.examples)).toEqual(new Set(differences));

  const repaired = await verify('--fix');
  expect(repaired).toMatchObject({ exitCode: 0, report: { isWhole: true } });
  expect(summaryOf(repaired)).toEqual({
    closure: '2, 0 left',
    'beneath counts': '3, 0 left',
    customers: '2, 0 left',
    grants: '1, 0 left',
    'service keys from above': '1, 0 left',
    'webhooks from above': '1, 0 left',
    'invitations from above': '1, 0 left',
  });
  const { stored, computed } = await treeAndOracle(service);
  expect(stored).toEqual(computed);
  const [ended] = await service.sql(
    `SELECT actor_credential_kind AS kind, request_id AS command FROM audit_log
     WHERE table_name = 'acls' AND action = 'delete' ORDER BY id DESC LIMIT 1`,
  );
  expect(ended).toEqual({ kind: 'command', command: 'verify' });
});

it('cli verify --fix names a circle, which only a person can mend, and a way that is too long', async () => {
  const first = await makeOrganisation(service);
  const second = await makeOrganisation(service, { parentId: first });
  await damage(`UPDATE organisations SET parent_id = ${second} WHERE id = ${first}`);
  const circle = await verify('--fix');
  expect(circle.exitCode).toBe(3);
  expect(foundBy(circle)[0]).toMatchObject({
    name: 'circles',
    left: 2,
    examples: [`organisation ${first}`, `organisation ${second}`],
  });
  await damage(`UPDATE organisations SET parent_id = 1 WHERE id = ${first}`);
  expect((await verify('--fix')).exitCode).toBe(0);

  await damage(`INSERT INTO organisations (id, name, tax_number, parent_id, customer_id)
    SELECT 1000 + depth, 'x', 'x', CASE depth WHEN 2 THEN 1 ELSE 999 + depth END, 1002
    FROM generate_series(2, 34) depth`);
  const deep = await verify('--fix');
  expect(deep).toMatchObject({ exitCode: 0, report: { isWhole: true } });
  expect(foundBy(deep).find(({ name }) => name === 'tree depth')).toMatchObject({
    left: 2,
    mayStay: true,
    examples: ['organisation 1033', 'organisation 1034'],
  });
});

it('cli verify --fix repairs contacts, SSH keys, recovery codes, notification states, due webhooks and next ids', async () => {
  const { organisationId, plain, custadmin } = await makeCustomer(service);
  const other = await makeOrganisation(service);
  const contact = await makeContact(service, { organisationId, userId: plain.id, name: 'Jan@Example.com' });
  const wandered = await makeContact(service, { organisationId, userId: custadmin.id });
  const notification = await makeNotification(service, { organisationId });
  const encrypted = SecretsKeyring.parse(Buffer.alloc(32, 7).toString('base64')).encrypt('x', 'y');
  const recipient = (id: number, status: string): string =>
    `INSERT INTO notification_recipients (notification_id, full_name, language, type, value, status, hash)
     VALUES (${notification}, 'x', 'nl', 'email', '${id}@example.com', '${status}', gen_random_uuid())`;
  await damage(
    `UPDATE contacts SET unique_key = 'other@example.com' WHERE id = ${contact}`,
    `UPDATE contacts SET organisation_id = ${other} WHERE id = ${wandered}`,
    recipient(1, 'sent'),
    recipient(2, 'failed'),
    `INSERT INTO ssh_keys (user_id, description, type, blob, bits, comment, fingerprint, key_digest)
     VALUES (${plain.id}, 'x', 'ssh-ed25519', '\\x0102', 256, '', '00:00', '\\x00')`,
    `INSERT INTO recovery_codes (user_id, position, encrypted_digest) VALUES (${plain.id}, 1,
       '${SecretsKeyring.parse(Buffer.alloc(32, 7).toString('base64')).encrypt('x', 'y')}')`,
    `INSERT INTO webhooks (organisation_id, customer_id, url, events, encrypted_secret, made_after)
     VALUES (${organisationId}, ${other}, 'https://receiver.example/', '{*}', '${encrypted}', 0)`,
    `INSERT INTO webhook_deliveries (webhook_id, message_id, event, body, next_try_at)
     SELECT id, gen_random_uuid(), 'x', '{}', due FROM webhooks, unnest('{2030-01-01,2029-01-01}'::timestamptz[]) due`,
    `SELECT setval('users_id_seq', 1)`,
  );
  const kinds = [
    'contact addresses',
    'contacts of users',
    'SSH keys',
    'recovery codes',
    'notification states',
    'customers of webhooks',
    'due webhooks',
    'next ids',
  ];
  const looked = await verify();
  expect(looked.exitCode).toBe(3);
  expect(Object.keys(summaryOf(looked)).sort()).toEqual([...kinds].sort());
  const repaired = await verify('--fix');
  expect(repaired.exitCode).toBe(0);
  for (const check of foundBy(repaired)) expect(check).toMatchObject({ found: 1, repaired: 1, left: 0 });
  const [row] = await service.sql(
    `SELECT (SELECT unique_key FROM contacts WHERE id = ${contact}) AS key,
       (SELECT organisation_id FROM contacts WHERE id = ${wandered}) AS organisation,
       (SELECT status FROM notifications WHERE id = ${notification}) AS status,
       (SELECT fingerprint FROM ssh_keys) AS fingerprint, (SELECT encode(key_digest, 'hex') FROM ssh_keys) AS digest,
       (SELECT count(*)::integer FROM recovery_codes) AS codes,
       (SELECT next_due_at = '2029-01-01' FROM webhooks) AS "isDueWithFirst"`,
  );
  // From `printf '\1\2' | md5sum` and `printf 'ssh-ed25519 \1\2' | sha256sum`.
  expect(row).toEqual({
    key: 'jan@example.com',
    organisation: organisationId,
    status: 3,
    fingerprint: '0c:b9:88:d0:42:a7:f2:8d:d5:fe:2b:55:b3:f5:ac:7a',
    digest: 'd5d639715aba2ca579beb7bb412b40b687577a264eb758537270a826435ea24e',
    codes: 0,
    isDueWithFirst: true,
  });
  await makeUser(service, { organisationId });
});

it('cli verify --fix names what only a person can decide, and exits with 3', async () => {
  const { organisationId, plain, custadmin } = await makeCustomer(service);
  const { organisationId: gone } = await makeCustomer(service);
  const beneath = await makeOrganisation(service, { resellerId: gone });
  await makeInvitation(service, { organisationId, inviterId: plain.id, email: 'new@example.com' });
  const encrypted = SecretsKeyring.parse(Buffer.alloc(32, 9).toString('base64')).encrypt('x', 'y');
  await damage(
    `DROP INDEX users_username_unique, invitations_one_open`,
    `UPDATE users SET username = upper('${plain.username}') WHERE id = ${custadmin.id}`,
    `INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at)
     SELECT organisation_id, inviter_id, 'New@example.com', first_name, last_name, '\\x01', expires_at FROM invitations`,
    `UPDATE users SET username_verified = false, former_username = 'ADMIN@operator.example', renamed_at = now()
     WHERE id = ${plain.id}`,
    `UPDATE organisations SET deleted_at = now() WHERE id = ${gone}`,
    `UPDATE users SET second_factor = 'enabled', totp_secret = '${encrypted}' WHERE id = ${plain.id}`,
    `UPDATE users SET roles = '{}' WHERE organisation_id = 1`,
    `ALTER TABLE users DISABLE TRIGGER keep_one_admin`,
    `INSERT INTO teams (organisation_id, name) SELECT ${organisationId}, 'team ' || n FROM generate_series(1, 201) n`,
    `ALTER TABLE acls DROP CONSTRAINT acls_not_to_itself, ADD CONSTRAINT acls_not_to_itself CHECK (true) NOT VALID`,
  );
  const result = await verify('--fix');
  expect(result.exitCode).toBe(3);
  const found = foundBy(result).filter(({ repaired }) => repaired === 0);
  expect(found.map(({ name, examples }) => [name, examples])).toEqual([
    ['deleted links', [`organisation ${beneath}`]],
    ['enabled admin', ['none']],
    ['users of deleted organisations', expect.arrayContaining([expect.stringMatching(/^user \d+$/)])],
    ['user names', [expect.stringMatching(new RegExp(`^${plain.username}$`, 'i'))]],
    ['former names', [expect.stringMatching(/^user \d+$/)]],
    ['open invitations', [expect.stringMatching(/^organisation \d+, new@example.com$/i)]],
    ['secrets', [`TOTP secret of user ${plain.id}`]],
    ['triggers', ['users.keep_one_admin']],
    ['constraints', ['acls.acls_not_to_itself']],
    ['amount: teams_limit_of_organisation', [`organisation_id ${organisationId}: 201`]],
  ]);
  expect(found.filter(({ mayStay }) => mayStay).map(({ name }) => name)).toEqual([
    'amount: teams_limit_of_organisation',
  ]);
});

it('cli verify names tables with few ids left, and exits with 3', async () => {
  await service.sql(`SELECT setval('invitations_id_seq', 1800000000)`);
  const result = await verify();
  expect(foundBy(result)).toMatchObject([
    { name: 'ids', examples: ['invitations_id_seq: 1800000000 of 2147483647'] },
  ]);
  expect(result.exitCode).toBe(3);
});

it('cli verify --fix goes on where one repair fails, says which, and exits with 3', async () => {
  const { organisationId } = await makeCustomer(service);
  const one = await makeContact(service, { organisationId, name: 'a@example.com' });
  const two = await makeContact(service, { organisationId, name: 'b@example.com' });
  await damage(
    `UPDATE contacts SET name = 'b@example.com' WHERE id = ${one}`,
    `UPDATE organisations SET beneath_count = 9 WHERE id = ${organisationId}`,
  );
  expect(two).toBeGreaterThan(one);
  const result = await verify('--fix');
  expect(result.exitCode).toBe(3);
  expect(result.messages).toEqual([
    expect.stringMatching(/^contact addresses: not repaired: .*contacts_unique/),
  ]);
  expect(summaryOf(result)).toEqual({ 'beneath counts': '1, 0 left', 'contact addresses': '1, 1 left' });
});
