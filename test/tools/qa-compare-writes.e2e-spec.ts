import { chmodSync } from 'node:fs';
import request from 'supertest';
import { VARIANTS } from '../../qa/variants';
import type { CompareReport } from '../../tools/qa/compare/report';
import { makeOrganisation, makeUser } from '../support/factories/factories';
import { newPublicKey } from '../support/factories/key-factories';
import { backUpOf, createTestDatabase, type TestDatabase } from '../support/service/databases';
import { useFiles } from '../support/service/files';
import { qa } from '../support/service/qa';
import { ADMIN, startTestService, type TestService } from '../support/service/service';

const files = useFiles();

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly as: 'admin';
}

type Answer = Readonly<Record<string, { readonly id: number } | undefined>>;

/** Writes of every kind, and what they answer, recorded at a service. */
async function record({ url }: TestService, organisationId: number, userId: number): Promise<Recorded[]> {
  const { body: login } = await request(url).post('/v1/login').send(ADMIN).expect(200);
  const recorded: Recorded[] = [];
  const send = async (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    body?: object,
  ): Promise<Answer> => {
    recorded.push({ method: method.toUpperCase(), path, body, as: 'admin' });
    const response = await request(url)
      [method](`/v1${path}`)
      .set('Authorization', login.hash as string)
      .send(body);
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response.body as Answer;
  };
  /** A record is made, read, changed, read in its list, and sometimes deleted. */
  const live = async (base: string, key: string, body: object, change: object, isDeleted: boolean) => {
    const id = (await send('post', base, body))[key]?.id as number;
    await send('get', `${base}/${id}`);
    await send('put', `${base}/${id}`, change);
    await send('get', `${base}?limit=0`);
    if (isDeleted) await send('delete', `${base}/${id}`);
    return id;
  };
  const own = `/organisations/${organisationId}`;
  const user = `${own}/users/${userId}`;
  const child = await live(
    '/organisations',
    'organisation',
    { name: 'Winkel', taxNumber: 'NL1', parentOrganisation: String(organisationId) },
    { name: 'Winkels', taxNumber: 'NL1', resellerOrganisation: organisationId },
    false,
  );
  await send('get', `${own}/organisations?orderBy=name`);
  const contact = { type: 'email', name: 'office@bakery.example', preferences: 'System' };
  for (const base of [`${user}/contacts`, `${own}/contacts`, `/organisations/${child}/contacts`])
    await live(
      base,
      'contact',
      contact,
      { ...contact, name: 'shop@bakery.example' },
      base === `${own}/contacts`,
    );
  const key = { content: newPublicKey(), description: 'laptop' };
  await live(`${user}/sshkeys`, 'sshkey', key, { ...key, description: 'old laptop' }, true);
  const team = await live(`${own}/teams`, 'team', { name: 'Bakers' }, { name: 'Bakers and sellers' }, false);
  await send('put', `${own}/teams/${team}/users/${userId}`);
  await send('get', user);
  const invitation = { email: 'piet@bakery.example', firstName: 'Piet', lastName: 'Jansen' };
  await live(`${own}/invitations`, 'invitation', invitation, { ...invitation, firstName: 'Pieter' }, true);
  const serviceKey = { name: 'backup', operations: ['organisations.read'], whitelist: ['127.0.0.1'] };
  await live(`${own}/servicekeys`, 'serviceKey', serviceKey, { ...serviceKey, name: 'backups' }, false);
  await send('patch', own, { name: 'Bakkerij de Vries', taxNumber: 'NL2', city: 'Utrecht' });
  await send('get', own);
  return recorded;
}

const RECORDS = ['organisations', 'contacts', 'ssh_keys', 'teams', 'invitations', 'service_keys'];

it.each(VARIANTS)(
  'npm run qa -- compare --writes finds nothing between two databases from one dump in Variant %s',
  async (variant) => {
    const databases: TestDatabase[] = [await createTestDatabase()];
    const dump = databases[0] as TestDatabase;
    const first = await startTestService(variant, { database: dump });
    const organisationId = await makeOrganisation(first);
    const { id: userId } = await makeUser(first, { organisationId });
    await first.stop();
    const services: TestService[] = [];
    try {
      const start = async (): Promise<TestService> => {
        const database = await backUpOf(dump);
        databases.push(database);
        const service = await startTestService(variant, { database });
        services.push(service);
        return service;
      };
      const [recording, old, fresh] = [await start(), await start(), await start()];
      // The new side gives other identifiers.
      for (const table of RECORDS)
        await fresh.sql(`SELECT setval(pg_get_serial_sequence($1, 'id'), 5000)`, [table]);
      const recorded = await record(recording, organisationId, userId);
      const requests = files.write('writes.jsonl', recorded.map((one) => JSON.stringify(one)).join('\n'));
      const credentials = files.write('credentials.json', JSON.stringify({ admin: ADMIN }));
      for (const path of [requests, credentials]) chmodSync(path, 0o600);
      const addresses = [
        'compare',
        '--old',
        `${old.url}/v1`,
        '--new',
        `${fresh.url}/v1`,
        '--requests',
        requests,
      ];
      const writes = ['--writes', '--writes-to', '127.0.0.1', '--credentials', credentials];
      const { status, output } = await qa([...addresses, ...writes, '--rate', '1000', '--json']);
      const report = JSON.parse(output) as CompareReport;
      expect(report.differences).toEqual([]);
      expect({ status, ...report.total }).toMatchObject({ status: 0, sent: recorded.length, skipped: 0 });
      const [made] = await fresh.sql('SELECT max(id)::integer AS organisation FROM organisations');
      expect(made).toEqual({ organisation: 5001 });
      const [left] = await fresh.sql('SELECT count(*)::integer AS logins FROM logins WHERE user_id = 1');
      expect(left).toEqual({ logins: 0 });
    } finally {
      for (const service of services) await service.stop();
      for (const database of databases.reverse()) await database.drop();
    }
  },
);
