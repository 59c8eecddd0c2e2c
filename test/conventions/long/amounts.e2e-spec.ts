import {
  type Customer,
  makeCustomer,
  makeOrganisation,
  nextNumber,
  PASSWORD,
} from '../../support/factories/factories';
import { makeInvitation, registrationOf } from '../../support/factories/invitations-factories';
import { newPublicKey } from '../../support/factories/key-factories';
import { makeTeam } from '../../support/factories/records';
import { atOnce } from '../../support/service/at-once';
import { anonymous, asAdmin } from '../../support/service/client';
import { useService } from '../../support/service/service';

const service = useService('A');

interface Amount {
  readonly kind: string;
  /** The trigger of the catalogue that counts them. */
  readonly limit: string;
  readonly most: number;
  readonly message: string;
  /** Writes $2 of them for the owner whose id is $1. */
  readonly fill: string;
  /** How many there are of the owner $1. */
  readonly count: string;
  readonly ownerOf: (owner: Customer) => number;
  readonly add: (owner: Customer) => PromiseLike<{ status: number; body: unknown }>;
}

const SSH_KEYS = (column: string): string =>
  `INSERT INTO ssh_keys (${column}, description, type, blob, bits, comment, fingerprint, key_digest)
   SELECT $1, 'key', 'ssh-ed25519', '', 256, '', '', uuid_send(gen_random_uuid()) FROM generate_series(1, $2)`;

const users = (count: string): string =>
  `INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
   SELECT $1::integer, 'u' || i || '@' || $1::integer || '.example', 'Jan', 'Bakker', '' FROM generate_series(1, ${count}) i`;

const userPath = ({ organisationId, plain }: Customer): string =>
  `/organisations/${organisationId}/users/${plain.id}`;

/** Expected values: the amounts that docs/limits.md is to have; the answer is that of rule requests 69. */
const AMOUNTS: readonly Amount[] = [
  {
    kind: 'contacts of a user',
    limit: 'contacts_limit_of_user',
    most: 50,
    message: 'A user has at most 50 contacts.',
    fill: `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key)
      SELECT organisation_id, id, 'email', 'c' || i || '@x.example', 'c' || i || '@x.example'
      FROM users, generate_series(1, $2) i WHERE id = $1`,
    count: 'SELECT count(*)::integer AS count FROM contacts WHERE user_id = $1',
    ownerOf: ({ plain }) => plain.id,
    add: (owner) =>
      owner.plain.client.post(`${userPath(owner)}/contacts`, {
        type: 'email',
        name: `n${nextNumber()}@x.example`,
      }),
  },
  {
    kind: 'contacts of an organisation',
    limit: 'contacts_limit_of_organisation',
    most: 50,
    message: 'An organisation has at most 50 contacts.',
    fill: `INSERT INTO contacts (organisation_id, type, name, unique_key)
      SELECT $1, 'email', 'c' || i || '@x.example', 'c' || i || '@x.example' FROM generate_series(1, $2) i`,
    count: 'SELECT count(*)::integer AS count FROM contacts WHERE organisation_id = $1 AND user_id IS NULL',
    ownerOf: ({ organisationId }) => organisationId,
    add: ({ custadmin, organisationId }) =>
      custadmin.client.post(`/organisations/${organisationId}/contacts`, {
        type: 'email',
        name: `n${nextNumber()}@x.example`,
      }),
  },
  {
    kind: 'SSH keys of a user',
    limit: 'ssh_keys_limit_of_user',
    most: 100,
    message: 'A user has at most 100 SSH keys.',
    fill: SSH_KEYS('user_id'),
    count: 'SELECT count(*)::integer AS count FROM ssh_keys WHERE user_id = $1',
    ownerOf: ({ plain }) => plain.id,
    add: (owner) => owner.plain.client.post(`${userPath(owner)}/sshkeys`, { content: newPublicKey() }),
  },
  {
    kind: 'deploy keys of an organisation',
    limit: 'ssh_keys_limit_of_organisation',
    most: 200,
    message: 'An organisation has at most 200 deploy keys.',
    fill: SSH_KEYS('organisation_id'),
    count: 'SELECT count(*)::integer AS count FROM ssh_keys WHERE organisation_id = $1',
    ownerOf: ({ organisationId }) => organisationId,
    add: ({ custadmin, organisationId }) =>
      custadmin.client.post(`/organisations/${organisationId}/sshkeys`, { content: newPublicKey() }),
  },
  {
    kind: 'API keys of a user',
    limit: 'api_keys_limit_of_user',
    most: 50,
    message: 'A user has at most 50 API keys.',
    fill: `INSERT INTO api_keys (user_id, name, digest, expires_at)
      SELECT $1, 'key', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), now() + interval '1 day'
      FROM generate_series(1, $2)`,
    count: 'SELECT count(*)::integer AS count FROM api_keys WHERE user_id = $1',
    ownerOf: ({ plain }) => plain.id,
    add: (owner) => owner.plain.client.post(`${userPath(owner)}/apikeys`, { name: 'key', whitelist: [] }),
  },
  {
    kind: 'service keys of an organisation',
    limit: 'service_keys_limit_of_organisation',
    most: 50,
    message: 'An organisation has at most 50 service keys.',
    fill: `INSERT INTO service_keys (organisation_id, name, digest, operations, expires_at)
      SELECT $1, 'key', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), '{users.list}',
        now() + interval '1 day' FROM generate_series(1, $2)`,
    count: 'SELECT count(*)::integer AS count FROM service_keys WHERE organisation_id = $1',
    ownerOf: ({ organisationId }) => organisationId,
    add: ({ custadmin, organisationId }) =>
      custadmin.client.post(`/organisations/${organisationId}/servicekeys`, {
        name: 'key',
        operations: ['users.list'],
      }),
  },
  {
    kind: 'webhooks of an organisation',
    limit: 'webhooks_limit_of_organisation',
    most: 20,
    message: 'An organisation has at most 20 webhooks.',
    fill: `INSERT INTO webhooks (organisation_id, url, events, encrypted_secret, made_after)
      SELECT $1, 'https://receiver.example/', '{*}', 'encrypted', 0 FROM generate_series(1, $2)`,
    count: 'SELECT count(*)::integer AS count FROM webhooks WHERE organisation_id = $1',
    ownerOf: ({ organisationId }) => organisationId,
    add: ({ custadmin, organisationId }) =>
      custadmin.client.post(`/organisations/${organisationId}/webhooks`, {
        url: 'https://receiver.invalid/',
        events: ['*'],
      }),
  },
  {
    kind: 'teams of an organisation',
    limit: 'teams_limit_of_organisation',
    most: 200,
    message: 'An organisation has at most 200 teams.',
    fill: `INSERT INTO teams (organisation_id, name) SELECT $1, 'team ' || i FROM generate_series(1, $2) i`,
    count: 'SELECT count(*)::integer AS count FROM teams WHERE organisation_id = $1',
    ownerOf: ({ organisationId }) => organisationId,
    add: ({ custadmin, organisationId }) =>
      custadmin.client.post(`/organisations/${organisationId}/teams`, { name: `new ${nextNumber()}` }),
  },
  {
    kind: 'grants of an organisation',
    limit: 'acls_limit_of_organisation',
    most: 200,
    message: 'An organisation gives at most 200 grants.',
    fill: `WITH grantee AS (
        INSERT INTO organisations (name, tax_number, parent_id)
        SELECT 'Grantee', 'T' || $1::integer || '-' || i || '-' || gen_random_uuid(), 1 FROM generate_series(1, $2) i
        RETURNING id)
      INSERT INTO acls (organisation_id, grantee_id) SELECT $1::integer, id FROM grantee`,
    count: 'SELECT count(*)::integer AS count FROM acls WHERE organisation_id = $1',
    ownerOf: ({ organisationId }) => organisationId,
    add: async ({ custadmin, organisationId }) =>
      custadmin.client.post(`/organisations/${organisationId}/grants`, {
        organisation: await makeOrganisation(service),
      }),
  },
  {
    kind: 'grants that an organisation receives',
    limit: 'acls_limit_of_grantee',
    most: 1000,
    message: 'An organisation receives at most 1000 grants.',
    fill: `WITH grantor AS (
        INSERT INTO organisations (name, tax_number, parent_id)
        SELECT 'Grantor', 'T' || $1::integer || '-' || i || '-' || gen_random_uuid(), 1 FROM generate_series(1, $2) i
        RETURNING id)
      INSERT INTO acls (organisation_id, grantee_id) SELECT id, $1::integer FROM grantor`,
    count: 'SELECT count(*)::integer AS count FROM acls WHERE grantee_id = $1',
    ownerOf: ({ organisationId }) => organisationId,
    add: async (owner) => {
      const { custadmin, organisationId } = await makeCustomer(service);
      return custadmin.client.post(`/organisations/${organisationId}/grants`, {
        organisation: owner.organisationId,
      });
    },
  },
  {
    kind: 'open invitations of an organisation',
    limit: 'invitations_limit_of_organisation',
    most: 1000,
    message: 'An organisation has at most 1000 open invitations.',
    fill: `INSERT INTO invitations (organisation_id, inviter_id, email, first_name, last_name, token_digest, expires_at)
      SELECT $1, 1, 'i' || i || '@x.example', 'New', 'User', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
        now() + interval '1 day' FROM generate_series(1, $2) i`,
    count: 'SELECT count(*)::integer AS count FROM invitations WHERE organisation_id = $1',
    ownerOf: ({ organisationId }) => organisationId,
    add: ({ custadmin, organisationId }) =>
      custadmin.client.post(`/organisations/${organisationId}/invitations`, {
        email: `n${nextNumber()}@x.example`,
        firstName: 'New',
        lastName: 'User',
      }),
  },
  {
    kind: 'users of an organisation',
    limit: 'users_limit_of_organisation',
    most: 10_000,
    message: 'An organisation has at most 10000 users.',
    // Two are there already.
    fill: users('$2::integer - 2'),
    count: 'SELECT count(*)::integer AS count FROM users WHERE organisation_id = $1',
    ownerOf: ({ organisationId }) => organisationId,
    add: async ({ organisationId, custadmin }) => {
      const invitation = await makeInvitation(service, { organisationId, inviterId: custadmin.id });
      return anonymous(service).post(
        `/registerInvitation/${invitation.token}`,
        registrationOf(invitation, PASSWORD),
      );
    },
  },
  {
    kind: 'notifications that users write',
    limit: 'notifications_limit_of_organisation',
    most: 50_000,
    message: 'The users of an organisation write at most 50000 notifications.',
    fill: `INSERT INTO notifications (organisation_id, customer_id, notification_group, type, entity_class, entity_id,
        entity_name, is_written)
      SELECT $1, 1, 'Crm', 'note', 'Organisation', $1, 'Customer', true FROM generate_series(1, $2)`,
    count: 'SELECT count(*)::integer AS count FROM notifications WHERE organisation_id = $1 AND is_written',
    ownerOf: ({ organisationId }) => organisationId,
    add: ({ custadmin, organisationId }) =>
      custadmin.client.post(`/organisations/${organisationId}/notifications`, { type: 'note', group: 'Crm' }),
  },
];

/** Limits of rows that are tried in another way, and where. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  documents_limit_of_organisation: 'documents/long/documents.e2e-spec.ts',
  login_links_limit_of_user: 'login-links/login-links-races.e2e-spec.ts',
  logins_limit_of_staff: 'support-logins/support-races.e2e-spec.ts',
  passkeys_limit_of_user: 'passkeys/passkeys-races.e2e-spec.ts',
  team_entities_limit_of_team: 'below',
  team_members_limit_of_team: 'below',
  webhook_deliveries_waiting_limit: 'webhooks/webhooks.e2e-spec.ts',
  webhooks_limit_of_customer: 'below',
};

it('the trigger limit_rows: each limit of the catalogue is tried here or elsewhere', async () => {
  const limits = await service.sql<{ name: string }>(
    `SELECT DISTINCT split_part(encode(tgargs, 'escape'), '\\000', 3) AS name FROM pg_trigger
     WHERE tgfoid = 'limit_rows()'::regprocedure ORDER BY 1`,
  );
  const tried = [...AMOUNTS.map(({ limit }) => limit), ...Object.keys(ELSEWHERE)];
  expect(limits.map(({ name }) => name)).toEqual(tried.sort());
});

describe.each(AMOUNTS)('$kind, by $limit,', ({ most, message, fill, count, ownerOf, add }) => {
  it(`are ${most} at most, with sixteen requests at once too`, async () => {
    const owner = await makeCustomer(service);
    const other = await makeCustomer(service);
    const stored = async (): Promise<number> =>
      (await service.sql<{ count: number }>(count, [ownerOf(owner)]))[0]?.count ?? 0;
    await service.sql(fill, [ownerOf(owner), most - 3]);
    const responses = await atOnce(16, () => add(owner));
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(13);
    expect(await stored()).toBe(most);
    expect(responses.find(({ status }) => status === 400)?.body).toMatchObject({
      code: 400,
      message,
      reason: 'LIMIT_REACHED',
    });
    expect((await add(other)).status).toBeLessThan(300);
  });
});

describe('PUT …/teams/{teamId}/users and POST …/teams/{teamId}/apps: a team', () => {
  const MOST = 10_000;
  let owner: Customer;
  let team: number;
  let path: string;
  beforeAll(async () => {
    owner = await makeCustomer(service);
    team = await makeTeam(service, owner.organisationId);
    path = `/organisations/${owner.organisationId}/teams/${team}`;
  });

  it('has at most 10000 members; who is one already may be added again', async () => {
    const { organisationId, plain, custadmin } = owner;
    await service.sql(users(String(MOST - 2)), [organisationId]);
    await service.sql(
      'INSERT INTO team_members (team_id, user_id) SELECT $1, id FROM users WHERE organisation_id = $2 AND id <> $3',
      [team, organisationId, plain.id],
    );
    const add = (userId: number) => custadmin.client.put(`${path}/users/${userId}`);
    await add(plain.id).expect(204);
    await service.sql`DELETE FROM team_members WHERE team_id = ${team} AND user_id = ${custadmin.id}`;
    const adds = await Promise.all([custadmin.id, custadmin.id, plain.id].map(add));
    expect(adds.map(({ status }) => status)).toEqual([204, 204, 204]);
    await service.sql(
      'UPDATE users SET deleted_at = now() WHERE id = (SELECT min(id) FROM users WHERE username LIKE $1)',
      [`u%@${organisationId}.example`],
    );
    await service.sql(users('1').replaceAll("'u'", "'new'"), [organisationId]);
    const [late] = await service.sql<{ id: number }>(
      `SELECT id FROM users WHERE organisation_id = $1 AND username LIKE 'new%'`,
      [organisationId],
    );
    const refused = await add(late?.id as number);
    expect(refused.body).toMatchObject({
      code: 400,
      message: 'A team has at most 10000 members.',
      reason: 'LIMIT_REACHED',
    });
    await add(custadmin.id).expect(204);
    const { body } = await plain.client.get(path).expect(200);
    // Without the deleted one, whose membership counts until it goes with the user.
    expect((body as { team: { users: unknown[] } }).team.users).toHaveLength(MOST - 1);
  });

  it('has at most 10000 records of all kinds together', async () => {
    const { organisationId, custadmin } = owner;
    await service.sql`INSERT INTO entities (kind, object_id, organisation_id, name)
       SELECT 'app', 900000 + i, ${organisationId}, 'App' FROM generate_series(1, 3) i`;
    await service.sql`INSERT INTO team_entities (team_id, kind, object_id)
       SELECT ${team}, CASE WHEN i % 2 = 0 THEN 'domains' ELSE 'systems' END, i
         FROM generate_series(1, ${MOST}::integer - 1) i`;
    const responses = await Promise.all(
      [900001, 900002, 900003].map((objectId) => custadmin.client.post(`${path}/apps`, { objectId })),
    );
    const refused = responses.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(2);
    for (const { body } of refused) {
      expect(body).toMatchObject({
        code: 400,
        message: 'A team has at most 10000 apps, domains, mail groups and systems.',
        reason: 'LIMIT_REACHED',
      });
    }
    const { body } = await custadmin.client.get(path).expect(200);
    expect((body as { team: { entities: unknown[] } }).team.entities).toHaveLength(MOST);
  });
});

describe('POST …/webhooks: the webhooks of a customer', () => {
  const MOST = 200;
  const add = ({ custadmin }: Customer, organisationId: number) =>
    custadmin.client.post(`/organisations/${organisationId}/webhooks`, {
      url: 'https://receiver.invalid/',
      events: ['*'],
    });
  const fill = (organisationIds: readonly number[], amount: number) =>
    service.sql(
      `INSERT INTO webhooks (organisation_id, url, events, encrypted_secret, made_after)
       SELECT id, 'https://receiver.example/', '{*}', 'encrypted', 0
       FROM unnest($1::integer[]) id, generate_series(1, $2::integer)`,
      [organisationIds, amount],
    );

  it('are 200 in all its organisations, with sixteen requests at once too; a customer of a reseller has its own', async () => {
    const owner = await makeCustomer(service);
    const { organisationId } = owner;
    const beneath: number[] = [];
    for (let made = 0; made < 14; made++)
      beneath.push(await makeOrganisation(service, { resellerId: beneath.at(-1) ?? organisationId }));
    await fill([organisationId, ...beneath], 13);
    expect(MOST - 15 * 13).toBe(5);
    const responses = await atOnce(16, (index) => add(owner, [organisationId, ...beneath][index % 15] ?? 0));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = responses.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(11);
    expect(refused[0]?.body).toMatchObject({
      code: 400,
      message: 'The organisations of a customer have at most 200 webhooks together.',
      reason: 'LIMIT_REACHED',
    });
    const reseller = await makeOrganisation(service, { isReseller: true });
    for (let customers = 0; customers < 2; customers++) {
      const customer = await makeOrganisation(service, { resellerId: reseller });
      const parts = await Promise.all(
        Array.from({ length: 9 }, () => makeOrganisation(service, { resellerId: customer })),
      );
      await fill([customer, ...parts], 20);
    }
    const other = await makeCustomer(service);
    await add(other, other.organisationId).expect(201);
  });

  it('are those of the organisations that it has now: what moves to it stays, and nothing more comes', async () => {
    const [from, to] = [await makeCustomer(service), await makeCustomer(service)];
    const beneath = (customer: Customer, organisations: number) =>
      Promise.all(
        Array.from({ length: organisations }, () =>
          makeOrganisation(service, { resellerId: customer.organisationId }),
        ),
      );
    const [top, moving, full] = [await beneath(from, 9), await beneath(from, 1), await beneath(to, 9)];
    const [moved = 0] = moving;
    await fill([...top, ...moving], 20);
    await fill(full, 20);
    await add(from, from.organisationId).expect(400);
    await add(to, to.organisationId).expect(201);
    const admin = await asAdmin(service);
    await admin
      .put(`/organisations/${moved}`, {
        name: 'Moved',
        taxNumber: 'T',
        resellerOrganisation: to.organisationId,
      })
      .expect(204);
    await add(from, from.organisationId).expect(201);
    const refused = await add(to, to.organisationId).expect(400);
    expect(refused.body).toMatchObject({ reason: 'LIMIT_REACHED' });
    const { body } = await to.custadmin.client.get(`/organisations/${moved}/webhooks`).expect(200);
    expect(body).toMatchObject({ total: 20 });
  });
});

describe('POST …/notifications: those that the users of an organisation write', () => {
  it('are at most 1000 an hour; events are told all the same', async () => {
    const { organisationId, custadmin, plain } = await makeCustomer(service);
    const path = `/organisations/${organisationId}/notifications`;
    const write = () => custadmin.client.post(path, { type: 'note', group: 'Crm' });
    await write().expect(201);
    // As after 998 more.
    await service.sql(`UPDATE attempts SET used = 999 WHERE resets_at > now() + interval '50 minutes'`);
    await write().expect(201);
    const refused = await write().expect(429);
    expect(refused.body).toMatchObject({ code: 429, reason: 'TOO_MANY_ATTEMPTS' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    const other = await makeCustomer(service);
    await other.custadmin.client
      .post(`/organisations/${other.organisationId}/notifications`, { type: 'note', group: 'Crm' })
      .expect(201);
    await plain.client
      .post(`/organisations/${organisationId}/users/${plain.id}/sshkeys`, { content: newPublicKey() })
      .expect(201);
    const stored = await service.sql`SELECT entity_class, is_written FROM notifications
      WHERE organisation_id = ${organisationId} ORDER BY id`;
    const written = { entity_class: 'Organisation', is_written: true };
    expect(stored).toEqual([written, written, { entity_class: 'SshKey', is_written: false }]);
  });
});
