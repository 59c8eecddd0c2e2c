import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'supertest';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { type MadeUser, makeCustomer, makeOrganisation, makeUser } from '../support/factories/factories';
import { transactionBeside, untilWaiting } from '../support/faults/locks';
import { useService } from '../support/service/service';
import { until } from '../support/service/until';

/** Twelve permits for writes, six for lists, five for cursors. */
const service = useService('A', { settings: { databasePool: 20 } });

/** What one user, and one organisation, may run of each. */
const WRITES_OF_USER = 3;
const WRITES_OF_ORGANISATION = 6;
const LISTS_OF_USER = 2;
const LISTS_OF_ORGANISATION = 3;

/** More than the pool of the service has. */
const AT_ONCE = 30;

const countsOf = (responses: readonly Response[]): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

/**
 * Sends requests that wait for a lock, and something else as soon as so many of them wait in the database.
 * Returns the statuses of the requests once the lock is gone.
 */
async function whileBlocked(
  lock: string,
  send: () => PromiseLike<Response>[],
  running: number,
  meanwhile: () => Promise<void>,
): Promise<Readonly<Record<number, number>>> {
  await using holder = await transactionBeside(service);
  await holder.query(lock);
  const sent = Promise.all(send());
  await untilWaiting(service, running);
  await meanwhile();
  await holder.query('ROLLBACK');
  return countsOf(await sent);
}

const colleagues = async (count: number): Promise<MadeUser[]> => {
  const organisationId = await makeOrganisation(service);
  return Promise.all(times(count, () => makeUser(service, { organisationId })));
};

describe('PATCH …/preferences that waits', () => {
  const write = ({ client, organisationId, id }: MadeUser) =>
    client.patch(`/organisations/${organisationId}/users/${id}/preferences`, { darkTheme: true });

  /** Locks the rows that the users change. */
  async function lockOf(users: readonly MadeUser[]): Promise<string> {
    for (const user of users) await write(user).expect(204);
    const ids = users.map(({ id }) => id).join();
    return `SELECT FROM user_preferences WHERE user_id IN (${ids}) FOR UPDATE`;
  }

  it.each([
    ['one user', 1, WRITES_OF_USER],
    ['the users of one organisation', 4, WRITES_OF_ORGANISATION],
  ])('of %s leaves the permits of others free', async (_, people, running) => {
    const writers = await colleagues(people);
    const { plain: other } = await makeCustomer(service);
    const statuses = await whileBlocked(
      await lockOf(writers),
      () =>
        times(AT_ONCE, (index) => write(writers[index % people] as MadeUser).then((response) => response)),
      running,
      async () => void (await write(other).expect(204)),
    );
    expect(statuses).toEqual({ 204: AT_ONCE });
  });
});

describe('GET …/contacts with filter, limit, orderBy or offset', () => {
  const LOCK = 'LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE';
  const path = ({ organisationId, id }: MadeUser) => `/organisations/${organisationId}/users/${id}/contacts`;

  it.each([
    ['one user', 1, LISTS_OF_USER],
    ['the users of one organisation', 3, LISTS_OF_ORGANISATION],
  ])('of %s leaves the permits of others free', async (_, people, running) => {
    const readers = await colleagues(people);
    const { plain: other } = await makeCustomer(service);
    const ask = (index: number) => {
      const reader = readers[index % people] as MadeUser;
      const query = ['filter=a', 'limit=20', 'orderBy=name', 'offset=5'][index % 4];
      return reader.client.get(`${path(reader)}?${query}`).then((response) => response);
    };
    const statuses = await whileBlocked(
      LOCK,
      () => times(AT_ONCE, ask),
      running,
      async () => void (await other.client.get('/organisations?filter=a&limit=20').expect(200)),
    );
    expect(statuses).toEqual({ 200: AT_ONCE });
  });

  it('leaves a plain GET /organisations of the same user its place', async () => {
    const { plain } = await makeCustomer(service);
    await whileBlocked(
      LOCK,
      () => times(AT_ONCE, () => plain.client.get(`${path(plain)}?filter=a`).then((response) => response)),
      LISTS_OF_USER,
      async () => void (await plain.client.get('/organisations').expect(200)),
    );
  });
});

describe('GET …/sshkeys?format=csv that nobody reads', () => {
  let opened: IncomingMessage[] = [];
  afterEach(async () => {
    for (const response of opened) response.destroy();
    opened = [];
    await until(async () => (await openCursors()) === 0);
  });

  const openCursors = async (): Promise<number> =>
    (
      await service.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
      )
    ).length;

  /** A list of the user's own that is too long for the buffers of a connection. */
  async function makeReaders(count: number): Promise<MadeUser[]> {
    const readers = await colleagues(count);
    await service.sql('ALTER TABLE ssh_keys DISABLE TRIGGER USER');
    for (const { id } of readers) {
      await service.sql`INSERT INTO ssh_keys (user_id, description, type, blob, bits, comment, fingerprint, key_digest)
        SELECT ${id}::integer, 'Key ' || n, 'ssh-ed25519', decode(md5(${id}::text || n), 'hex'), 256,
          repeat('x', 16200), md5(${id}::text || n), sha256((${id}::text || n)::bytea)
        FROM generate_series(1, 600) n`;
    }
    return readers;
  }

  const pathOf = ({ organisationId, id }: MadeUser) =>
    `/organisations/${organisationId}/users/${id}/sshkeys?format=csv`;

  /** The status of a response whose body is left on the connection. */
  const unread = (reader: MadeUser): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: reader.client.hash };
      get(`${service.url}/v1${pathOf(reader)}`, { headers, agent: false }, (response) => {
        response.on('error', () => undefined);
        opened.push(response);
        resolve(response.statusCode);
      }).on('error', reject);
    });

  it('takes two cursors of an organisation, and more are 503', async () => {
    const readers = await makeReaders(3);
    const [other] = await makeReaders(1);
    const asked = readers.flatMap((reader) => [unread(reader), unread(reader)]);
    await until(async () => (await openCursors()) === 2);
    await other?.client.get(pathOf(other)).expect(200);
    expect(await openCursors()).toBeLessThanOrEqual(2);
    expect(await Promise.all(asked)).toContain(503);
  });

  it('leaves no cursor when its client goes before the response begins', async () => {
    const [reader] = await makeReaders(1);
    if (reader === undefined) throw new Error('No reader');
    const gone = times(12, async (index) => {
      const asked = get(`${service.url}/v1${pathOf(reader)}`, {
        headers: { Authorization: reader.client.hash },
        agent: false,
      });
      asked.on('error', () => undefined);
      await once(asked, 'finish');
      await pause(2 * index);
      asked.destroy();
    });
    await Promise.all(gone);
    // Those that still wait for a cursor count for the user.
    await until(async () => (await reader.client.get(pathOf(reader))).status === 200);
    await until(async () => (await openCursors()) === 0);
  });

  it('gives way to others once it has been slow, if its customer has two', async () => {
    const reads = service.app.get(DatabaseReads);
    const usual = reads.slowReading;
    expect(usual).toEqual({ ofTwo: 2000, ofOne: 20_000 });
    const organisations = [await makeReaders(1), await makeReaders(1), await makeReaders(1)].flat();
    const [other] = await makeReaders(1);
    const slow = organisations.flatMap((reader) => [unread(reader), unread(reader)]);
    await until(async () => (await openCursors()) === 5);
    reads.slowReading = { ofTwo: 500, ofOne: 60_000 };
    try {
      await other?.client.get(pathOf(other)).expect(200);
    } finally {
      reads.slowReading = usual;
    }
    // Two made room: for the sixth of the slow ones, and for the other.
    expect(await Promise.all(slow)).toEqual(times(6, () => 200));
    expect(await openCursors()).toBe(4);
  });
});
