import { ApiClient } from './support/client';
import { makeCustomer, nextNumber, type MadeUser } from './support/factories';
import { newPublicKey } from './support/key-factories';
import { startTestService, type TestService } from './support/service';

let service: TestService;
/** Which has the routes of API keys. */
let inVariantA: TestService;

interface Owner {
  readonly organisationId: number;
  readonly plain: MadeUser;
  readonly custadmin: MadeUser;
}

interface Amount {
  readonly kind: string;
  readonly most: number;
  readonly message: string;
  /** Writes $2 of them for the owner whose id is $1. */
  readonly fill: string;
  /** How many there are of the owner $1. */
  readonly count: string;
  readonly ownerOf: (owner: Owner) => number;
  readonly add: (owner: Owner) => PromiseLike<{ status: number; body: unknown }>;
}

const SSH_KEYS = (column: string): string =>
  `INSERT INTO ssh_keys (${column}, description, type, blob, bits, comment, fingerprint, key_digest)
   SELECT $1, 'key', 'ssh-ed25519', '', 256, '', '', uuid_send(gen_random_uuid()) FROM generate_series(1, $2)`;

const userPath = ({ organisationId, plain }: Owner): string =>
  `/organisations/${organisationId}/users/${plain.id}`;

/** Expected values: decisions.md section 11, "Amounts". */
const AMOUNTS: readonly Amount[] = [
  {
    kind: 'contacts of a user',
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
    most: 100,
    message: 'A user has at most 100 SSH keys.',
    fill: SSH_KEYS('user_id'),
    count: 'SELECT count(*)::integer AS count FROM ssh_keys WHERE user_id = $1',
    ownerOf: ({ plain }) => plain.id,
    add: (owner) => owner.plain.client.post(`${userPath(owner)}/sshkeys`, { content: newPublicKey() }),
  },
  {
    kind: 'deploy keys of an organisation',
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
    most: 50,
    message: 'A user has at most 50 API keys.',
    fill: `INSERT INTO api_keys (user_id, name, digest, expires_at)
      SELECT $1, 'key', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), now() + interval '1 day'
      FROM generate_series(1, $2)`,
    count: 'SELECT count(*)::integer AS count FROM api_keys WHERE user_id = $1',
    ownerOf: ({ plain }) => plain.id,
    add: (owner) =>
      new ApiClient(inVariantA.url, owner.plain.client.hash).post(`${userPath(owner)}/apikeys`, {
        name: 'key',
        whitelist: [],
      }),
  },
  {
    kind: 'teams of an organisation',
    most: 200,
    message: 'An organisation has at most 200 teams.',
    fill: `INSERT INTO teams (organisation_id, name) SELECT $1, 'team ' || i FROM generate_series(1, $2) i`,
    count: 'SELECT count(*)::integer AS count FROM teams WHERE organisation_id = $1',
    ownerOf: ({ organisationId }) => organisationId,
    add: ({ custadmin, organisationId }) =>
      custadmin.client.post(`/organisations/${organisationId}/teams`, { name: `new ${nextNumber()}` }),
  },
  {
    kind: 'open invitations of an organisation',
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
];

beforeAll(async () => {
  service = await startTestService('B');
  inVariantA = await startTestService('A', { database: service.database });
});
afterAll(async () => {
  await inVariantA.stop();
  await service.stop();
});

describe.each(AMOUNTS)('$kind', ({ most, message, fill, count, ownerOf, add }) => {
  it('are bounded, with sixteen requests at once too', async () => {
    const owner = await makeCustomer(service);
    const other = await makeCustomer(service);
    const stored = async (): Promise<number> =>
      (await service.sql<{ count: number }>(count, [ownerOf(owner)]))[0]?.count ?? 0;
    await service.sql(fill, [ownerOf(owner), most - 3]);
    const responses = await Promise.all(Array.from({ length: 16 }, () => add(owner)));
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
