import { get, type IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { ApiClient, asAdmin } from '../support/service/client';
import { makeContact, makeTeam } from '../support/factories/records';
import { makeCustomer, makeOrganisation, type MadeUser } from '../support/factories/factories';
import { describeService, useService } from '../support/service/service';
import { until } from '../support/service/until';
import { VARIANTS, type PerVariant } from '../support/service/variants';

const CSV = 'text/csv; charset=utf-8; header=present';

/** An independent reader of RFC 4180: the records of a text with CRLF line ends. */
function records(text: string): string[][] {
  const found: string[][] = [[]];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const [, content = '', end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`not csv at ${cell.lastIndex}`);
    found.at(-1)?.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content);
    if (end === '\r\n') found.push([]);
  }
  return found.filter((record) => record.length > 0);
}

/** The rows of a csv text by the names of its header. */
function rowsOf(text: string): Record<string, string>[] {
  const [header = [], ...rows] = records(text);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? 'missing'])));
}

const inCsv = (client: ApiClient, path: string) => client.get(path).set('Accept', 'text/csv');

/** Columns that only admins are shown, in a header that is the same for all. */
const ADMIN_ONLY: PerVariant<object> = { A: { externalId: '', 'users.username': '' }, B: {} };

describeService(VARIANTS, 'csv in Variant %s', (service, variant) => {
  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;

  beforeAll(async () => {
    ({ organisationId, custadmin, plain } = await makeCustomer(service, { name: '=1+1' }));
    const other = await makeCustomer(service, { name: 'Another, "customer"' });
    await makeContact(service, { organisationId: other.organisationId, userId: other.plain.id });
  });

  it('gives the rows of the JSON list under a header of the documented fields', async () => {
    const path = `/organisations/${organisationId}/users`;
    const response = await inCsv(custadmin.client, path).expect(200);
    expect(response.headers['content-type']).toBe(CSV);
    expect(response.headers['content-disposition']).toBe('attachment; filename="users.csv"');
    expect(response.text).toBe(
      [
        'id,username,email,firstName,lastName,roles',
        `${custadmin.id},${custadmin.username},${custadmin.username},Jan,de Vries,ROLE_CUSTADMIN`,
        `${plain.id},${plain.username},${plain.username},Jan,de Vries,`,
        '',
      ].join('\r\n'),
    );
    const asked = await custadmin.client.get(`${path}?format=csv`).expect(200);
    expect(asked.text).toBe(response.text);
  });

  it('joins lists, dots nested fields and never lets a spreadsheet calculate', async () => {
    const team = await makeTeam(service, organisationId, {
      name: '@SUM(A1),"x"',
      userIds: [custadmin.id, plain.id],
    });
    const response = await inCsv(plain.client, `/organisations/${organisationId}/teams`).expect(200);
    expect(rowsOf(response.text)).toEqual([
      expect.objectContaining({
        id: String(team),
        name: `'@SUM(A1),"x"`,
        'users.username': `${custadmin.username};${plain.username}`,
        'teamEntities.apps.id': '',
      }),
    ]);
    const organisations = rowsOf((await inCsv(plain.client, '/organisations').expect(200)).text);
    expect(organisations).toEqual([
      expect.objectContaining({
        id: String(organisationId),
        name: "'=1+1",
        'country.id': '',
        ...ADMIN_ONLY[variant],
      }),
    ]);
    expect(Object.keys(organisations[0] ?? {})).not.toContain('total');
  });

  it('gives a single record as one row, and an answer without one as itself', async () => {
    const contact = await makeContact(service, { organisationId, userId: plain.id, groups: ['Job'] });
    const path = `/organisations/${organisationId}/users/${plain.id}/contacts`;
    const single = await inCsv(plain.client, `${path}/${contact}`).expect(200);
    expect(rowsOf(single.text)).toEqual([
      {
        id: String(contact),
        type: 'email',
        name: expect.stringContaining('@') as string,
        'preferences.name': 'System;Domain;App;Finance;Job;Crm;Mail',
        'preferences.value': 'false;false;false;false;true;false;false',
      },
    ]);
    const whoami = await inCsv(plain.client, '/whoami').expect(200);
    expect(rowsOf(whoami.text)).toEqual([
      expect.objectContaining({ userId: String(plain.id), username: plain.username }),
    ]);
    expect(
      (await inCsv(custadmin.client, `/organisations/${organisationId}/users/${custadmin.id}/contacts`)).text,
    ).toBe('id,type,name,preferences.name,preferences.value\r\n');
  });

  it('keeps limit, offset, order, filter and the next page', async () => {
    const path = `/organisations/${organisationId}/users`;
    const page = await inCsv(custadmin.client, `${path}?limit=1&orderBy=id&orderType=desc`).expect(200);
    expect(rowsOf(page.text).map(({ id }) => id)).toEqual([String(plain.id)]);
    const [, next = ''] = /^<([^>]*)>; rel="next"$/.exec(String(page.headers['link'])) ?? [];
    expect({ ...parse(next.split('?')[1] ?? '') }).toEqual({
      limit: '1',
      orderBy: 'id',
      orderType: 'desc',
      offset: '1',
    });
    const last = await inCsv(custadmin.client, next.replace('/v1', '')).expect(200);
    expect(rowsOf(last.text).map(({ id }) => id)).toEqual([String(custadmin.id)]);
    expect(last.headers['link']).toBeUndefined();
    const linked = await custadmin.client.get(`${path}?limit=1&format=csv`).expect(200);
    expect(linked.headers['link']).toContain('format=csv');
    const none = await inCsv(custadmin.client, `${path}?filter=nobody`).expect(200);
    expect(records(none.text)).toHaveLength(1);
  });

  it('stays JSON unless csv is asked for and liked best', async () => {
    const path = `/organisations/${organisationId}/users`;
    for (const accept of [
      '*/*',
      'application/json',
      'text/html',
      'application/xml',
      'application/json, text/csv',
      'text/csv;q=0.5, application/json',
      'text/csv;q=0',
    ]) {
      const response = await custadmin.client.get(path).set('Accept', accept).expect(200);
      expect(response.headers['content-type']).toContain('application/json');
    }
    for (const accept of ['TEXT/CSV', 'text/csv, application/json;q=0.9', 'text/csv;q=0.5, */*;q=0.1']) {
      const response = await custadmin.client.get(path).set('Accept', accept).expect(200);
      expect(response.headers['content-type']).toBe(CSV);
    }
    const forced = await inCsv(custadmin.client, `${path}?format=json`).expect(200);
    expect(forced.headers['content-type']).toContain('application/json');
    const created = await custadmin.client
      .post(`/organisations/${organisationId}/teams?format=csv`, { name: 'Web' })
      .set('Accept', 'text/csv')
      .expect(201);
    expect(created.body).toMatchObject({ team: { name: 'Web' } });
  });

  it('answers errors in JSON, with the same rights', async () => {
    const admin = await asAdmin(service);
    const stranger = (await makeCustomer(service)).plain.client;
    const path = `/organisations/${organisationId}/users`;
    for (const [request, status] of [
      [inCsv(stranger, path), 403],
      [inCsv(plain.client, `/organisations/${organisationId}/organisations`), 500],
      [inCsv(admin, '/organisations/999999/users'), 404],
      [inCsv(admin, '/nothing'), 404],
      [inCsv(admin, `${path}?orderBy=password`), 400],
      [inCsv(new ApiClient(service.url), path), 401],
    ] as const) {
      const response = await request.expect(status);
      expect(response.headers['content-type']).toContain('application/json');
      expect(response.body).toMatchObject({ code: status });
    }
  });

  it('answers HEAD with the headers alone', async () => {
    const response = await custadmin.client
      .call('head', `/organisations/${organisationId}/users?limit=1`)
      .set('Accept', 'text/csv')
      .expect(200);
    expect(response.headers['content-type']).toBe(CSV);
    expect(response.headers['link']).toContain('rel="next"');
    expect(response.text ?? '').toBe('');
  });
});

const LARGE = 1600;
const VERY_LARGE = 5000;

describe('a long csv', () => {
  let admin: ApiClient;
  let reseller: number;

  beforeAll(async () => {
    // Four connections leave one place for long lists.
  });
  const service = useService('A', { settings: { listLimitMax: 10, databasePool: 4 } });
  beforeAll(async () => {
    admin = await asAdmin(service);
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
      const ids = rowsOf(response.text).map(({ id }) => Number(id));
      expect(ids).toEqual(expected.map(({ id }) => id));
      expect(response.headers['link']).toBeUndefined();
    }
    await until(async () => (await held()) === 0);
  });

  it.each(['/organisations', 'beneath'])('of %s is cut at the limit, and says so', async (list) => {
    const path = list === 'beneath' ? `/organisations/${reseller}/organisations` : list;
    const whole = rowsOf((await inCsv(admin, `${path}?limit=0`).expect(200)).text).map(({ id }) => id);
    for (const [limit, offset] of [
      [1001, 0],
      [1500, 7],
      [1599, 1],
      [1600, 0],
      [1601, 0],
      [1602, 0],
    ] as const) {
      const response = await inCsv(admin, `${path}?limit=${limit}&offset=${offset}`).expect(200);
      expect(rowsOf(response.text).map(({ id }) => id)).toEqual(whole.slice(offset, offset + limit));
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
      // 60 MB: more than the buffers of a connection can grow to, so that an answer that nobody reads stands still.
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
      expect(rowsOf(await waiting)).toHaveLength(1600);
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
      expect(rowsOf(again.text)).toHaveLength(VERY_LARGE + 2);
    });
  });
});
