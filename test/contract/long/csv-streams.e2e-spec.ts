import { get, type IncomingMessage } from 'node:http';
import { makeOrganisation } from '../../support/factories/factories';
import { type ApiClient, asAdmin } from '../../support/service/client';
import { csvRows, inCsv } from '../../support/service/csv';
import { useService } from '../../support/service/service';
import { until } from '../../support/service/until';

const LARGE = 1600;
const VERY_LARGE = 5000;

describe('GET /organisations as a long csv', () => {
  let reseller: number;

  // Four connections leave one place for long lists.
  const service = useService('A', { settings: { listLimitMax: 10, databasePool: 4 } });
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  beforeAll(async () => {
    reseller = await makeOrganisation(service);
    await service.sql`INSERT INTO organisations (name, tax_number, parent_id, street)
       SELECT 'Customer ' || n, 'NL' || n, ${reseller}, repeat('x', 200) FROM generate_series(1, ${LARGE}) n`;
  });

  /** Connections of the service that a long list is being read on. */
  const held = async (): Promise<number> => {
    const [row] = await service.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'FETCH%'`,
    );
    return row?.count ?? -1;
  };

  const opened: IncomingMessage[] = [];
  afterEach(() => {
    for (const response of opened.splice(0)) response.destroy();
  });

  /** A request whose answer is not read on its own. */
  const open = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: admin.hash, Accept: 'text/csv' };
      // A connection that was read from before has grown its buffers, perhaps until they hold the whole list.
      get(`${service.url}/v1${path}`, { headers, agent: false }, (response) => {
        opened.push(response);
        resolve(response);
      }).on('error', reject);
    });

  it('has every row once, in order, and no next page', async () => {
    const expected = await service.sql<{ id: number }>('SELECT id FROM organisations ORDER BY id');
    for (const query of ['', '?limit=', '?limit=0']) {
      const response = await inCsv(admin, `/organisations${query}`).expect(200);
      const ids = csvRows(response.text).map(({ id }) => Number(id));
      expect(ids).toEqual(expected.map(({ id }) => id));
      expect(response.headers['link']).toBeUndefined();
    }
    await until(async () => (await held()) === 0);
  });

  it.each(['/organisations', 'beneath'])('is cut at the limit, and says so: %s', async (list) => {
    const path = list === 'beneath' ? `/organisations/${reseller}/organisations` : list;
    const whole = csvRows((await inCsv(admin, `${path}?limit=0`).expect(200)).text).map(({ id }) => id);
    for (const [limit, offset] of [
      [1001, 0],
      [1500, 7],
      [1599, 1],
      [1600, 0],
      [1601, 0],
      [1602, 0],
    ] as const) {
      const response = await inCsv(admin, `${path}?limit=${limit}&offset=${offset}`).expect(200);
      expect(csvRows(response.text).map(({ id }) => id)).toEqual(whole.slice(offset, offset + limit));
      const remains = whole.length > offset + limit;
      expect(response.headers['link'] !== undefined).toBe(remains);
    }
  });

  it('refuses a bad order before the first byte', async () => {
    const response = await inCsv(admin, '/organisations?limit=0&orderBy=x').expect(400);
    expect(response.body).toMatchObject({ code: 400 });
    expect(await held()).toBe(0);
  });

  describe('that a network takes slowly', () => {
    beforeAll(async () => {
      // 60 MB: more than the buffers of a connection can grow to, so that an answer that
      // nobody reads stands still.
      await service.sql`INSERT INTO organisations (name, tax_number, parent_id)
         SELECT 'Customer ' || n, 'NL' || n, ${reseller}
           FROM generate_series(${LARGE}::integer + 1, ${VERY_LARGE}) n`;
      await service.sql(`UPDATE organisations SET information = repeat('漢', 4000)`);
    });

    it('frees its connection when the client goes away', async () => {
      const response = await open('/organisations?limit=0');
      await until(async () => (await held()) === 1);
      response.destroy();
      await until(async () => (await held()) === 0);
    });

    it('frees its connection after HEAD', async () => {
      await admin.call('head', '/organisations?limit=0').set('Accept', 'text/csv').expect(200);
      await until(async () => (await held()) === 0);
    });

    it('leaves connections to others while readers are slow, and takes turns', async () => {
      // Short enough to be read to its end long before the other has waited too long.
      const slow = await open('/organisations?limit=1600');
      await until(async () => (await held()) === 1);
      const waiting = inCsv(admin, '/organisations?limit=1600').then(({ text }) => text);
      for (let calls = 0; calls < 8; calls++) await admin.get('/organisations').expect(200);
      expect(await held()).toBe(1);
      slow.resume();
      expect(csvRows(await waiting)).toHaveLength(1600);
    });

    it('refuses for now when no turn comes', async () => {
      const slow = await open('/organisations?limit=0');
      await until(async () => (await held()) === 1);
      const response = await inCsv(admin, '/organisations?limit=0').expect(503);
      expect(response.headers['retry-after']).toBe('5');
      expect(response.headers['content-type']).toContain('application/json');
      slow.destroy();
      await until(async () => (await held()) === 0);
    });

    it('is cut visibly, not ended, when its connection is lost, and the service lives on', async () => {
      const response = await open('/organisations?limit=0');
      await until(async () => (await held()) === 1);
      const failure = new Promise<Error>((resolve) => response.once('error', resolve));
      await service.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND query LIKE 'FETCH%'`,
      );
      response.resume();
      expect(await failure).toMatchObject({ code: 'ECONNRESET' });
      const again = await inCsv(admin, '/organisations?limit=0').expect(200);
      expect(csvRows(again.text)).toHaveLength(VERY_LARGE + 2);
    });
  });
});
