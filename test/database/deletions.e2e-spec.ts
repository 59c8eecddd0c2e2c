import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { VARIANTS } from '../../qa/variants';
import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import { storeLink } from '../support/factories/login-links-factories';
import { storePasskey } from '../support/factories/passkey-factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { pathOf } from '../support/factories/users-factories';
import { ApiClient } from '../support/service/client';
import { ADMIN, describeService, type TestService } from '../support/service/service';

/** The rows, or live rows, of each kind that the users $1 own. */
const BELONGINGS: Readonly<Record<string, string>> = {
  passwordHashes: `users WHERE id = ANY ($1) AND password_hash <> ''`,
  logins: 'logins WHERE user_id = ANY ($1)',
  apiKeys: 'api_keys WHERE user_id = ANY ($1)',
  networks: 'known_networks WHERE user_id = ANY ($1)',
  firstLogins: 'first_logins WHERE user_id = ANY ($1)',
  loginLinks: 'login_links WHERE user_id = ANY ($1)',
  loginNotices: 'login_notices WHERE user_id = ANY ($1)',
  devices: 'trusted_devices WHERE user_id = ANY ($1)',
  recoveryCodes: 'recovery_codes WHERE user_id = ANY ($1)',
  passkeys: 'passkeys WHERE user_id = ANY ($1)',
  passkeyChallenges: 'passkey_challenges WHERE user_id = ANY ($1)',
  recovery: `recovery_requests WHERE user_id = ANY ($1) AND (ended_at IS NULL OR username <> '')`,
  recoveryMails: `graphile_worker.jobs WHERE key IN (SELECT 'recovery:' || id FROM unnest($1::integer[]) id)`,
  memberships: 'team_members WHERE user_id = ANY ($1)',
  sshKeys: 'ssh_keys WHERE user_id = ANY ($1)',
  contacts: 'contacts WHERE user_id = ANY ($1)',
  formerContacts: 'former_contacts WHERE user_id = ANY ($1)',
  preferences: 'user_preferences WHERE user_id = ANY ($1)',
  storedResponses: 'stored_responses WHERE user_id = ANY ($1)',
};

const COUNT = `SELECT ${Object.entries(BELONGINGS)
  .map(([kind, rows]) => `(SELECT count(*)::integer FROM ${rows}) AS "${kind}"`)
  .join(', ')}`;

/** Tables with a foreign key to users: each has to be among the belongings, or to have a reason here. */
const REFERRING_TO_USERS = `
  SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
  WHERE contype = 'f' AND confrelid = 'users'::regclass ORDER BY name`;

/** Invitations and suspensions belong to the organisation, notifications are its history. */
const NO_BELONGINGS = ['invitations', 'notifications', 'suspensions'];

/** How much of each kind `users` users have to whom {@link giveEverything} gave everything. */
const everythingOf = (users: number): Record<string, number> =>
  Object.fromEntries(Object.keys(BELONGINGS).map((kind) => [kind, users]));

async function giveEverything(service: TestService, users: readonly MadeUser[]): Promise<void> {
  for (const { id, organisationId } of users) {
    await makeApiKey(service, id);
    await makeContact(service, { organisationId, userId: id });
    await service.sql`INSERT INTO former_contacts (user_id, name, since) VALUES (${id}, 'a@example.com', now())`;
    await makeTeam(service, organisationId, { userIds: [id] });
    await service.sql`INSERT INTO known_networks (user_id, network) VALUES (${id}, '192.0.2.0/24')`;
    await service.sql`INSERT INTO first_logins (user_id) VALUES (${id})`;
    await service.sql`INSERT INTO login_notices (user_id, login_id, network, address, country, os, browser, token_digest, expires_at)
       VALUES (${id}, 1, '192.0.2.0/24', '192.0.2.1', '', '', '', ${randomBytes(32)}, now() + interval '72 hours')`;
    await service.sql`INSERT INTO trusted_devices (user_id, digest, user_agent, address, expires_at)
       VALUES (${id}, ${randomBytes(32)}, 'agent', '192.0.2.1', now() + interval '1 day')`;
    await service.sql`INSERT INTO recovery_codes (user_id, position, encrypted_digest)
       VALUES (${id}, 1, 'encrypted')`;
    await storePasskey(service, id);
    await service.sql`INSERT INTO passkey_challenges (digest, user_id, expires_at)
       VALUES (${randomBytes(32)}, ${id}, now() + interval '5 minutes')`;
    await storeLink(service, id);
    await service.sql`INSERT INTO recovery_requests (user_id, kind, username, token_digest, expires_at)
       VALUES (${id}, 'name', 'new@example.com', ${randomBytes(32)}, now() + interval '72 hours')`;
    await service.sql`SELECT graphile_worker.add_job('mail.send', '{}', job_key => 'recovery:' || ${id}::text)`;
    await service.sql`INSERT INTO user_preferences (user_id) VALUES (${id})`;
    await service.sql`INSERT INTO stored_responses (user_id, digest, encrypted)
       VALUES (${id}, ${randomBytes(32)}, 'encrypted')`;
  }
  await giveSshKeys(
    service,
    'user_id',
    users.map(({ id }) => id),
  );
}

const giveSshKeys = (service: TestService, column: string, owners: readonly number[]): Promise<object[]> =>
  service.sql(
    `INSERT INTO ssh_keys (${column}, description, type, blob, bits, comment, fingerprint, key_digest)
     SELECT owner, 'key', 'ssh-ed25519', '', 256, '', '', uuid_send(gen_random_uuid()) FROM unnest($1::integer[]) owner`,
    [owners],
  );

describeService(VARIANTS, 'deletions in Variant %s', (service) => {
  let admin: ApiClient;

  const belongingsOf = async (users: readonly MadeUser[]): Promise<object | undefined> =>
    (await service.sql(COUNT, [users.map(({ id }) => id)]))[0];

  beforeAll(async () => {
    const login = await new ApiClient(service.url).post('/login', ADMIN).expect(200);
    admin = new ApiClient(service.url, (login.body as { hash: string }).hash);
  });

  it('every table with a foreign key to users is counted here, or has a reason', async () => {
    const tables = (await service.sql<{ name: string }>(REFERRING_TO_USERS)).map(({ name }) => name);
    const unseen = tables.filter((name) => !COUNT.includes(`FROM ${name} `));
    expect(unseen).toEqual(NO_BELONGINGS);
  });

  it('DELETE …/users/{userId} leaves no row of the user, and every row of others', async () => {
    const { organisationId, plain, custadmin } = await makeCustomer(service);
    await giveEverything(service, [plain, custadmin]);
    expect(await belongingsOf([plain])).toEqual(everythingOf(1));
    await admin.delete(pathOf(plain)).expect(204);
    expect(await belongingsOf([plain])).toEqual(everythingOf(0));
    expect(await belongingsOf([custadmin])).toEqual(everythingOf(1));
    expect(
      await service.sql`SELECT 1 FROM organisations WHERE id = ${organisationId} AND deleted_at IS NULL`,
    ).toHaveLength(1);
  });

  it('DELETE /organisations/{organisationId} leaves no row of it and of its users, and every row of others', async () => {
    const gone = await makeCustomer(service);
    const other = await makeCustomer(service);
    const users = [gone.custadmin, gone.plain, await makeUser(service, gone)];
    await giveEverything(service, [...users, other.plain]);
    for (const { organisationId, custadmin } of [gone, other]) {
      await makeContact(service, { organisationId });
      await giveSshKeys(service, 'organisation_id', [organisationId]);
      await service.sql`INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at)
         VALUES (${organisationId}, ${custadmin.id}, 'new@example.com', 'New', 'User', ${randomBytes(32)}, now() + interval '1 day')`;
      await service.sql`INSERT INTO acls (organisation_id, grantee_id) VALUES (${organisationId}, 1)`;
    }
    await service.sql`INSERT INTO acls (organisation_id, grantee_id) VALUES (1, ${gone.organisationId})`;
    await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${gone.organisationId}`;
    expect(await belongingsOf(users)).toEqual(everythingOf(3));
    const ofOrganisation = (id: number): Promise<object[]> =>
      service.sql(
        `SELECT (SELECT count(*)::integer FROM users WHERE organisation_id = $1 AND deleted_at IS NULL) AS users,
          (SELECT count(*)::integer FROM contacts WHERE organisation_id = $1) AS contacts,
          (SELECT count(*)::integer FROM ssh_keys WHERE organisation_id = $1) AS "sshKeys",
          (SELECT count(*)::integer FROM invitations WHERE organisation_id = $1 AND deleted_at IS NULL) AS invitations,
          (SELECT count(*)::integer FROM acls WHERE $1 IN (organisation_id, grantee_id)) AS grants,
          (SELECT count(*)::integer FROM organisation_closure WHERE $1 IN (ancestor_id, descendant_id)) AS links`,
        [id],
      );
    expect(await ofOrganisation(gone.organisationId)).toEqual([
      { users: 3, contacts: 4, sshKeys: 1, invitations: 1, grants: 2, links: 1 },
    ]);

    await admin.delete(`/organisations/${gone.organisationId}`).expect(204);

    expect(await belongingsOf(users)).toEqual(everythingOf(0));
    expect(await ofOrganisation(gone.organisationId)).toEqual([
      { users: 0, contacts: 0, sshKeys: 0, invitations: 0, grants: 0, links: 0 },
    ]);
    expect(await belongingsOf([other.plain])).toEqual(everythingOf(1));
    expect(await ofOrganisation(other.organisationId)).toEqual([
      { users: 2, contacts: 2, sshKeys: 1, invitations: 1, grants: 1, links: 1 },
    ]);
    await new ApiClient(service.url)
      .post('/login', { username: gone.plain.username, password: PASSWORD })
      .expect(404);
  });

  it.each([
    ['DELETE /organisations/{organisationId}', 'organisations'],
    ['DELETE …/users/{userId}', 'users'],
  ])('%s is 500 where its COMMIT fails, and leaves every row', async (_, table) => {
    const { organisationId, plain, custadmin } = await makeCustomer(service);
    await giveEverything(service, [plain, custadmin]);
    await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${organisationId}`;
    await service.sql(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON ${table} DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION refuse();`);
    try {
      const path = table === 'users' ? pathOf(plain) : `/organisations/${organisationId}`;
      await admin.delete(path).expect(500);
    } finally {
      await service.sql('DROP FUNCTION refuse CASCADE');
    }
    expect(await belongingsOf([plain, custadmin])).toEqual(everythingOf(2));
    await admin.get(pathOf(plain)).expect(200);
  });

  it('DELETE /organisations/{organisationId} takes as many statements for 300 users as for one', async () => {
    const statementsFor = async (users: number): Promise<number> => {
      const organisationId = await makeOrganisation(service);
      await service.sql(
        `INSERT INTO users (organisation_id, username, first_name, last_name, enabled, password_hash)
         SELECT $1::integer, 'user' || i || '@of' || $1::integer || '.example', 'One', 'OfMany', false, 'x' FROM generate_series(1, $2) i`,
        [organisationId, users],
      );
      await service.sql`INSERT INTO api_keys (user_id, name, digest, expires_at)
         SELECT id, 'key', uuid_send(gen_random_uuid()), now() + interval '1 day' FROM users
           WHERE organisation_id = ${organisationId}`;
      const spy = jest.spyOn(Client.prototype, 'query');
      try {
        await admin.delete(`/organisations/${organisationId}`).expect(204);
        return spy.mock.calls.length;
      } finally {
        spy.mockRestore();
        const keys = await service.sql`SELECT 1 FROM api_keys JOIN users ON users.id = user_id
             WHERE organisation_id = ${organisationId}`;
        expect(keys).toEqual([]);
      }
    };
    const forOne = await statementsFor(1);
    expect(forOne).toBeGreaterThan(10);
    expect(await statementsFor(300)).toBe(forOne);
  });
});
