import { makeCustomer } from '../support/factories/factories';
import { transactionBeside, untilBlocked } from '../support/faults/locks';
import { type Call, Wire } from '../support/generators/access-calls';
import { useService } from '../support/service/service';

interface Held {
  readonly organisationId: number;
  readonly userId: number;
  readonly keyId: number;
}

interface MadeKey {
  readonly id: number;
  readonly hash: string;
}

/** A right that is taken away while a write that it allowed is under way. */
interface Revocation {
  readonly what: string;
  /** The credential of the write. */
  readonly by: 'login' | 'apiKey' | 'serviceKey';
  readonly statement: string;
  readonly values: (held: Held) => readonly unknown[];
  readonly status: number;
}

const ofUser = ({ userId }: Held) => [userId];
const ofKey = ({ keyId }: Held) => [keyId];

const REVOCATIONS: readonly Revocation[] = [
  {
    what: 'the role of a user',
    by: 'login',
    statement: `UPDATE users SET roles = '{ROLE_FINANCE}' WHERE id = $1`,
    values: ofUser,
    status: 403,
  },
  {
    what: 'the role of the user of an API key',
    by: 'apiKey',
    statement: `UPDATE users SET roles = '{}' WHERE id = $1`,
    values: ofUser,
    status: 403,
  },
  {
    what: 'a user that is disabled, of its API key',
    by: 'apiKey',
    statement: `UPDATE users SET enabled = false WHERE id = $1`,
    values: ofUser,
    status: 401,
  },
  {
    what: 'an organisation that is suspended',
    by: 'login',
    statement: `INSERT INTO suspensions (organisation_id, itself, beneath, reason, by_organisation_id) VALUES ($1, true, false, '', 1)`,
    values: ({ organisationId }) => [organisationId],
    status: 401,
  },
  {
    what: 'an organisation that is suspended, of its service key',
    by: 'serviceKey',
    statement: `INSERT INTO suspensions (organisation_id, itself, beneath, reason, by_organisation_id) VALUES ($1, true, false, '', 1)`,
    values: ({ organisationId }) => [organisationId],
    status: 401,
  },
  {
    what: 'the operation of a service key',
    by: 'serviceKey',
    statement: `UPDATE service_keys SET operations = '{organisations.read}' WHERE id = $1`,
    values: ofKey,
    status: 403,
  },
  {
    what: 'the time of a service key',
    by: 'serviceKey',
    statement: `UPDATE service_keys SET expires_at = now() WHERE id = $1`,
    values: ofKey,
    status: 401,
  },
  {
    what: 'the address of a service key',
    by: 'serviceKey',
    statement: `UPDATE service_keys SET whitelist = '{192.0.2.1}' WHERE id = $1`,
    values: ofKey,
    status: 403,
  },
];

describe('a write whose right is taken away while it is under way', () => {
  afterAll(() => wire.close());
  const service = useService('A', { settings: { databasePool: 20 } });
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });

  it.each(REVOCATIONS)('is refused: $what', async ({ by, statement, values, status }) => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const path = `/v1/organisations/${organisationId}`;
    const made = await wire.send({
      method: 'POST',
      path: by === 'apiKey' ? `${path}/users/${custadmin.id}/apikeys` : `${path}/servicekeys`,
      hash: custadmin.client.hash,
      body:
        by === 'apiKey'
          ? { name: 'a', whitelist: ['127.0.0.1', '::1'] }
          : { name: 'a', operations: ['organisationContacts.create', 'organisationContacts.list'] },
    });
    expect(made.text).toContain('hash');
    const [key] = Object.values(JSON.parse(made.text) as Record<string, MadeKey>);
    const { id: keyId, hash: keyHash } = key as MadeKey;
    const contact: Call = {
      method: 'POST',
      path: `${path}/contacts`,
      hash: by === 'login' ? custadmin.client.hash : keyHash,
      body: { type: 'email', name: 'late@example.com' },
    };
    await using beside = await transactionBeside(service);
    await beside.query('LOCK TABLE contacts IN SHARE MODE');
    const write = wire.send(contact);
    await untilBlocked(service, write);
    await service.sql(statement, [...values({ organisationId, userId: custadmin.id, keyId })]);
    await beside.query('COMMIT');
    expect((await write).status).toBe(status);
    expect(await service.sql`SELECT FROM contacts WHERE organisation_id = ${organisationId}`).toEqual([]);
  });
});
