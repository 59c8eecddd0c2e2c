import { getDataSourceToken } from '@nestjs/typeorm';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import type { AccountEvent } from '@app/feeds/events/event.types';
import { EventReader } from '@app/feeds/events/event-reader';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { atOnce } from '../support/service/at-once';
import { describeService } from '../support/service/service';

/** As `GET …/events` gives it. */
interface Feed {
  readonly events: { readonly data: { readonly id: number; readonly recordId: number } }[];
  readonly next: string;
}

describeService(['A'], 'GET …/events of transactions that commit in another order', (service) => {
  let organisationId: number;
  let custadmin: MadeUser;
  let start: string;
  let users: number[];
  const clients: Client[] = [];

  beforeEach(async () => {
    ({ organisationId, custadmin } = await makeCustomer(service));
    const made = await service.sql<{ id: number }>(
      `INSERT INTO users (organisation_id, username, first_name, last_name, password_hash)
       SELECT $1::integer, 'user' || n || '@customer' || $1 || '.example', 'Jan', 'Bakker', '' FROM generate_series(1, 600) n
       RETURNING id`,
      [organisationId],
    );
    users = made.map(({ id }) => id);
    start = (await feed('0')).next;
  });
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.end())));

  const feed = async (after: string): Promise<Feed> => {
    const path = `/organisations/${organisationId}/events?after=${after}&limit=0`;
    return (await custadmin.client.get(path).expect(200)).body as Feed;
  };

  const connected = async (): Promise<Client> => {
    const client = new Client({ connectionString: service.database.url });
    clients.push(client);
    await client.connect();
    return client;
  };

  const begun = async (): Promise<Client> => {
    const client = await connected();
    await client.query('BEGIN');
    return client;
  };

  /** Changes a user that no other transaction of the test changes, and gives its id. */
  const change = async (client: Client): Promise<number> => {
    const id = users.pop() as number;
    await client.query(`UPDATE users SET first_name = 'Piet' WHERE id = $1`, [id]);
    return id;
  };

  /** Follows the feed from the start of the test to its end, and says which records it told of. */
  const followed = async (after = start): Promise<number[]> => {
    const { events, next } = await feed(after);
    if (events.length === 0) return [];
    return [...events.map(({ data }) => data.recordId), ...(await followed(next))];
  };

  it('waits with later events for an earlier one, and passes over none', async () => {
    const slow = await begun();
    const first = await change(slow);
    const quick = await begun();
    const second = await change(quick);
    await quick.query('COMMIT');
    const meanwhile = await feed(start);
    expect(meanwhile.events).toEqual([]);
    await slow.query('COMMIT');
    expect(await followed(meanwhile.next)).toEqual([first, second]);
  });

  it('tells what was committed before the slow transaction wrote', async () => {
    const slow = await begun();
    // It has a number of its own already.
    await slow.query('SELECT pg_current_xact_id()');
    const first = await change(await connected());
    expect(await followed()).toEqual([first]);
    const second = await change(slow);
    await slow.query('COMMIT');
    expect(await followed()).toEqual([first, second]);
  });

  it('goes on when the slow transaction is rolled back, and tells nothing of it', async () => {
    const slow = await begun();
    await change(slow);
    const told = await change(await connected());
    expect(await followed()).toEqual([]);
    await slow.query('ROLLBACK');
    expect(await followed()).toEqual([told]);
  });

  it('tells nothing of what a savepoint takes back, and keeps the place of what comes after', async () => {
    const slow = await begun();
    await slow.query('SAVEPOINT before');
    await change(slow);
    await slow.query('ROLLBACK TO before');
    const earlier = await change(await connected());
    expect(await followed()).toEqual([earlier]);
    const first = await change(slow);
    const second = await change(await connected());
    expect(await followed()).toEqual([earlier]);
    await slow.query('COMMIT');
    expect(await followed()).toEqual([earlier, first, second]);
  });

  it('takes one lock for a transaction, however much it writes', async () => {
    const busy = await begun();
    for (let written = 0; written < 20; written++) await change(busy);
    const { rows } = await busy.query(
      `SELECT 1 FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory' AND objsubid = 1`,
    );
    expect(rows).toHaveLength(1);
  });

  it('gives two followers every event of 16 writers, once and in one order', async () => {
    const written: number[] = [];
    const writer = async (): Promise<void> => {
      const client = await connected();
      for (let left = 15; left > 0; left--) {
        await client.query('BEGIN');
        const changed = [await change(client), await change(client)];
        // Some transactions stay open while others come and go.
        await client.query('SELECT pg_sleep(random() * random() / 20)');
        if (left % 5 === 0) {
          await client.query('ROLLBACK');
        } else {
          await client.query('COMMIT');
          written.push(...changed);
        }
      }
    };
    let isOver = false;
    const writers = atOnce(16, writer).then(() => (isOver = true));
    const follow = async (read: (after: number) => Promise<{ ids: number[]; next: number }>) => {
      const told: number[] = [];
      for (let after = Number(start), wasOver = false; ;) {
        const { ids, next } = await read(after);
        told.push(...ids);
        after = next;
        if (ids.length === 0 && wasOver) return told;
        wasOver = isOver;
      }
    };
    const reader = service.app.get(EventReader, { strict: false });
    const dataSource = service.app.get<DataSource>(getDataSourceToken());
    const isHere = (event: AccountEvent) => event.organisationId === organisationId;
    const [ofFeed, swept] = await Promise.all([
      follow(async (after) => {
        const { events, next } = await reader.feed(organisationId, { after, limit: 7, beneath: false });
        return { ids: events.map(({ recordId }) => recordId), next };
      }),
      follow(async (after) => {
        const { events, position } = await dataSource.transaction((manager) =>
          reader.after(after, 7, manager),
        );
        const own = events.filter(({ event, isBeneath }) => isHere(event) && !isBeneath);
        return { ids: own.map(({ event }) => event.recordId), next: position };
      }),
      writers,
    ]);
    expect([...ofFeed].sort()).toEqual([...written].sort());
    expect(swept).toEqual(ofFeed);
  });

  it('holds back no events for what another database of the server does', async () => {
    const other = new Client({
      connectionString: service.database.url.replace(/\/[^/?]+(\?|$)/, '/postgres$1'),
    });
    clients.push(other);
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT pg_current_xact_id(), pg_advisory_xact_lock_shared((1::bigint << 62))');
    const changed = await change(await connected());
    expect(await followed()).toEqual([changed]);
  });
});
