import { DataSource } from 'typeorm';
import { poolOf } from '@app/platform/database/database-pool';
import { byKey, DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { KeyReads } from '@app/platform/database/pg-reads/key-reads';
import { type Customer, makeCustomer } from '../../support/factories/factories';
import { transactionBeside } from '../../support/faults/locks';
import { useService } from '../../support/service/service';
import { until } from '../../support/service/until';

const OF_READS = `application_name = 'account-api reads' AND datname = current_database()`;

const ONE = byKey<{ one: number }>('SELECT 1 AS one');
/** The same, on a connection of its own. */
const ONE_ALONE = prepared<{ one: number }>('SELECT 1 AS one');

const service = useService('A');
let customer: Customer;
beforeAll(async () => {
  customer = await makeCustomer(service);
});

const whoamis = async (count: number): Promise<number[]> => {
  const responses = await Promise.all(
    Array.from({ length: count }, () => customer.plain.client.get('/whoami')),
  );
  return [...new Set(responses.map(({ status }) => status))].sort();
};

it('GET /whoami: the reads of 200 requests at once share two connections', async () => {
  expect(await whoamis(200)).toEqual([200]);
  const connections = await service.sql(`SELECT pid FROM pg_stat_activity WHERE ${OF_READS}`);
  expect(connections.length).toBeGreaterThan(0);
  expect(connections.length).toBeLessThanOrEqual(2);
});

it('GET …/users/{userId}: each request gets its own rows, whatever is under way beside it', async () => {
  const { organisationId, custadmin, plain } = customer;
  const people = [custadmin, plain];
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      const { client, id } = people[index % 2] ?? custadmin;
      return client.get(`/organisations/${organisationId}/users/${index % 5 === 0 ? 2_000_000_000 : id}`);
    }),
  );
  responses.forEach(({ status, body }, index) => {
    if (index % 5 === 0) expect(status).toBe(404);
    else expect((body as { user: { id: number } }).user.id).toBe(people[index % 2]?.id);
  });
});

it('GET /whoami goes on after the connections of its reads were cut, those with requests under way too', async () => {
  const underWay = whoamis(50);
  await service.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${OF_READS}`);
  for (const status of await underWay) expect([200, 503]).toContain(status);
  await until(async () => (await whoamis(20)).join() === '200');
});

it('GET /whoami: no request fails that comes right after idle connections were cut', async () => {
  const { pool } = service.app.get(KeyReads);
  const reads = service.app.get(DatabaseReads);
  expect(await whoamis(40)).toEqual([200]);
  await Promise.all(Array.from({ length: 5 }, () => reads.row(ONE_ALONE, [])));
  for (const idle of [pool, poolOf(service.app.get(DataSource))]) idle.cut();
  const rows = await Promise.all(
    Array.from({ length: 32 }, (_, index) => reads.row(index % 2 === 0 ? ONE : ONE_ALONE, [])),
  );
  expect(rows).toEqual(Array(32).fill({ one: 1 }));
  expect(await whoamis(40)).toEqual([200]);
});

it('DatabaseReads: a migration that changes the type of a column fails no read beside those by key', async () => {
  const reads = service.app.get(DatabaseReads);
  const statement = prepared<{ n: unknown }>('SELECT n FROM retyped');
  await service.sql('CREATE TABLE retyped AS SELECT 7 AS n');
  expect(await reads.row(statement, [])).toEqual({ n: 7 });
  await service.sql('ALTER TABLE retyped ALTER COLUMN n TYPE text');
  for (let twice = 0; twice < 2; twice++) expect(await reads.row(statement, [])).toEqual({ n: '7' });
});

it('GET …/users: a migration that changes the type of a column fails no request, neither then nor later', async () => {
  const { organisationId, custadmin } = customer;
  const statuses = async (): Promise<number[]> => {
    const list = Array.from({ length: 40 }, () =>
      custadmin.client.get(`/organisations/${organisationId}/users`),
    );
    const reads = await Promise.all([
      whoamis(40),
      ...list.map(async (response) => [(await response).status]),
    ]);
    return [...new Set(reads.flat())];
  };
  expect(await statuses()).toEqual([200]);
  const underWay = statuses();
  await service.sql('ALTER TABLE users ALTER COLUMN first_name TYPE varchar(400)');
  expect(await underWay).toEqual([200]);
  expect(await statuses()).toEqual([200]);
});

it('GET /whoami: a table that is locked holds up all reads as long as the first', async () => {
  // On new connections, that know no statement yet: those behind would fail otherwise than the first.
  await service.sql(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE ${OF_READS}`);
  await using lock = await transactionBeside(service);
  await lock.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
  const begun = performance.now();
  expect(await whoamis(16)).toEqual([503]);
  expect(performance.now() - begun).toBeLessThan(8000);
  expect(service.logLines.join('')).not.toContain('pooler');
  await lock.query('ROLLBACK');
  expect(await whoamis(40)).toEqual([200]);
});

it('DatabaseReads reads by a statement that failed at first once it can', async () => {
  const reads = service.app.get(DatabaseReads);
  const statement = byKey<{ n: number }>('SELECT n FROM made_later');
  await expect(reads.rows(statement, [])).rejects.toMatchObject({ code: '42P01' });
  await service.sql('CREATE TABLE made_later AS SELECT 7 AS n');
  expect(await reads.rows(statement, [])).toEqual([{ n: 7 }]);
});
