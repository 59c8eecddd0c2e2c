import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ColumnTable } from '@app/platform/lists/columns';
import { makeCustomer, makeOrganisation, makeUser, nextNumber } from '../support/factories/factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { asAdmin } from '../support/service/client';
import { ASCII_LOCALE, createOtherDatabase, createTestDatabase } from '../support/service/databases';
import { useService, useServiceOn } from '../support/service/service';

const load = createRequire(__filename);
const LIBS = join(__dirname, '../../libs');

/** In the alphabet of people, as rule requests 51 has it. */
const NAMES = ['apple', 'Banana', 'Café', 'élan', 'Zebra'];
const SHUFFLED = ['Zebra', 'élan', 'apple', 'Café', 'Banana'];

describe.each([
  ['of the tests', createTestDatabase],
  ['with the locale C', () => createOtherDatabase(ASCII_LOCALE)],
] as const)('on a database %s', (_, make) => {
  describe.each(SHARED_VARIANTS)('Variant %s', (variant) => {
    const service = useServiceOn(variant, make);

    it('GET /organisations?orderBy= orders name, street and city as people do, zip and taxNumber by their bytes', async () => {
      const admin = await asAdmin(service);
      const reseller = await makeOrganisation(service, { name: 'reseller' });
      for (const name of SHUFFLED) {
        const id = await makeOrganisation(service, { name, resellerId: reseller });
        await service.sql`UPDATE organisations
          SET street = ${name}, city = ${name}, zip = ${name}, tax_number = ${name} WHERE id = ${id}`;
      }
      const own = `/organisations/${reseller}/organisations`;
      for (const field of ['name', 'street', 'city']) {
        expect(await names(admin, own, `orderBy=${field}`)).toEqual(NAMES);
        expect(await names(admin, own, `orderBy=${field}&orderType=desc`)).toEqual([...NAMES].reverse());
        const all = await names(admin, '/organisations', `orderBy=${field}`);
        expect(all.filter((name) => NAMES.includes(name))).toEqual(NAMES);
      }
      const byBytes = ['Banana', 'Café', 'Zebra', 'apple', 'élan'];
      expect(await names(admin, own, 'orderBy=zip')).toEqual(byBytes);
      const all = await names(admin, '/organisations', 'orderBy=taxNumber');
      expect(all.filter((name) => NAMES.includes(name))).toEqual(byBytes);
    });

    it('GET …/users?orderBy=lastName pages without a gap, ties by id', async () => {
      const { custadmin, organisationId } = await makeCustomer(service);
      for (const lastName of [...SHUFFLED, 'Élan', 'élan'])
        await makeUser(service, { organisationId, lastName, username: `u${nextNumber()}@example.nl` });
      const path = `/organisations/${organisationId}/users`;
      type Page = { users: { id: number; lastName: string }[] };
      const read = async (query: string): Promise<Page['users']> =>
        ((await custadmin.client.get(`${path}?orderBy=lastName&${query}`).expect(200)).body as Page).users;
      const whole = await read('limit=0');
      expect(whole.map(({ lastName }) => lastName).filter((name) => name !== 'de Vries')).toEqual([
        'apple',
        'Banana',
        'Café',
        'élan',
        'élan',
        'Élan',
        'Zebra',
      ]);
      const [first, second] = whole.filter(({ lastName }) => lastName === 'élan');
      expect(first?.id).toBeLessThan(second?.id ?? 0);
      const pages = [];
      for (let offset = 0; offset < whole.length; offset += 2)
        pages.push(...(await read(`limit=2&offset=${offset}`)));
      expect(pages).toEqual(whole);
    });
  });
});

type Admin = Awaited<ReturnType<typeof asAdmin>>;

async function names(client: Admin, path: string, query: string): Promise<string[]> {
  const { body } = await client.get(`${path}?limit=0&${query}`).expect(200);
  const [items] = Object.values(body as Record<string, unknown>).filter(Array.isArray);
  return (items as { name: string }[]).map(({ name }) => name);
}

/** Every text by which a list can be ordered. People write the first ones; the others are codes. */
const OF_PEOPLE = [
  'api_keys: name',
  'contacts: name',
  'documents: name',
  'invitations: email',
  'invitations: firstName',
  'invitations: fullName',
  'invitations: lastName',
  'logins: reason',
  'logins: serviceKey',
  'notifications: entityName',
  'notifications: subject',
  'organisations: city',
  'organisations: houseNumber',
  'organisations: information',
  'organisations: name',
  'organisations: remarksToPrintInvoice',
  'organisations: source1',
  'organisations: source2',
  'organisations: street',
  'passkeys: name',
  'service_keys: name',
  'ssh_keys: description',
  'teams: name',
  'users: firstName',
  'users: lastName',
  'users: username',
];
const CODES = [
  'acls: access',
  'contacts: type',
  'invitations: language',
  'logins: address',
  'logins: browser',
  'logins: country',
  'logins: os',
  'notifications: entityClass',
  'notifications: entityIndex',
  'notifications: group',
  'notifications: rootEntityClass',
  'notifications: statusCategory',
  'notifications: statusDisplay',
  'notifications: type',
  'organisations: beforeFirstOrder',
  'organisations: discount',
  'organisations: externalId',
  'organisations: taxNumber',
  'organisations: zip',
  'ssh_keys: content',
  'ssh_keys: fingerprint',
  'webhook_deliveries: error',
  'webhook_deliveries: event',
  'webhooks: lastError',
  'webhooks: url',
];

/** The tables of columns that files of libs export. */
const columnTables = (): ColumnTable<object, string>[] => {
  const files = readdirSync(LIBS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:columns|queries)\.ts$/.test(file),
  );
  return files
    .flatMap((file) => Object.values(load(join(LIBS, file)) as object))
    .filter((value): value is ColumnTable<object, string> => value instanceof ColumnTable);
};

describe('every list', () => {
  const service = useService('A');

  it('orders each text as people do or by its bytes, as the lists here say', async () => {
    const found = new Map<string, Set<string>>();
    for (const table of columnTables()) {
      for (const order of table.orderNames) {
        // A list counts open invitations in a pass of its own.
        const sql = table.orderOf(order).replaceAll(/\$\d+/g, 'NULL');
        if (sql === 'open_invitations') continue;
        const read = async (value: string) =>
          (
            await service.sql<{ value: string }>(
              `SELECT ${value}::text AS value FROM (SELECT 1) one
               LEFT JOIN (SELECT ${sql} AS key FROM ${table.from} ${table.joins}) known ON true LIMIT 1`,
            )
          )[0]?.value ?? '';
        if (!/^(?:text|character varying)$/.test(await read('pg_typeof(known.key)'))) continue;
        const collation = await read('pg_collation_for(known.key)');
        const names = found.get(collation) ?? new Set();
        found.set(collation, names.add(`${table.from.split(' ', 1).join()}: ${order}`));
      }
    }
    const sorted = [...found].map(([collation, names]) => [collation, [...names].sort()] as const);
    expect(Object.fromEntries(sorted)).toEqual({ '"und-x-icu"': OF_PEOPLE, '"C"': CODES });
  });

  /** The cost of a page does not depend on the number of organisations, whatever the statistics are. */
  it.each(['name', 'taxNumber', 'externalId', 'zip', 'city'])(
    'GET /organisations?orderBy=%s has an index',
    async (field) => {
      const [table] = columnTables().filter(({ from, orderNames }) => {
        return from === 'organisations o' && orderNames.includes('externalId');
      });
      await service.sql`SET enable_seqscan = off`;
      const plan = await service.sql<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT o.id FROM organisations o WHERE o.deleted_at IS NULL
       ORDER BY ${table?.orderOf(field) ?? ''} DESC, o.id DESC LIMIT 5`,
      );
      const text = plan.map((line) => line['QUERY PLAN']).join('\n');
      expect(text).toMatch(/Index.* Scan.* using organisations_by_/);
      expect(text).not.toContain('Sort');
    },
  );
});
