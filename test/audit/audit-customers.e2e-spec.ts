import type { Response } from 'supertest';
import { AuditKinds } from '@app/feeds/audit/audit-kinds';
import { auditEntry } from '../../qa/responses';
import {
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  PASSWORD,
} from '../support/factories/factories';
import { makeContact } from '../support/factories/records';
import { pathOf } from '../support/factories/users-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { auditRows, CLIENT_ADDRESS } from '../support/service/audit';
import { anonymous, type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { useService } from '../support/service/service';

interface Act {
  readonly id: number;
  readonly dtStamp: string;
  readonly actor: {
    readonly type: string;
    readonly userId: number | null;
    readonly username: string;
    readonly credential: string;
    readonly ip: string;
  };
  readonly change: {
    readonly action: string;
    readonly kind: string;
    readonly id: number;
    readonly organisationId: number | null;
    readonly before: Record<string, unknown> | null;
    readonly after: Record<string, unknown> | null;
  };
}

const UNKNOWN = { userId: null, username: '', credential: '', ip: '' };

describe.each(SHARED_VARIANTS)('GET …/audit in Variant %s', (variant) => {
  const service = useService(variant, { settings: { trustedProxies: ['127.0.0.0/8'] } });
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let reseller: { organisationId: number; custadmin: MadeUser };
  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;
  beforeAll(async () => {
    reseller = await makeCustomer(service);
    ({ organisationId, custadmin, plain } = await makeCustomer(service, {
      resellerId: reseller.organisationId,
    }));
    // Another customer's acts stand beside every one.
    const other = await makeCustomer(service);
    await rename(other.custadmin.client, other.plain, 'Other');
  });

  const rename = (client: ApiClient, user: MadeUser, firstName: string) =>
    client
      .patch(pathOf(user), { username: user.username, firstName, lastName: 'de Vries' })
      .set('X-Forwarded-For', CLIENT_ADDRESS)
      .expect(204);

  const log = async (query = '', client = custadmin.client, of = organisationId): Promise<Act[]> => {
    const response = await client.get(`/organisations/${of}/audit?limit=0${query}`).expect(200);
    return (response.body as { audit: Act[] }).audit;
  };

  const last = async (query = '', client = custadmin.client, of = organisationId): Promise<Act | undefined> =>
    (await log(query, client, of)).at(-1);

  it('says of every column of every audited table who is told it', async () => {
    const columns = await service.sql<{ table: string; column: string }>(
      `SELECT c.relname AS table, a.attname AS column FROM pg_trigger t
       JOIN pg_class c ON c.oid = t.tgrelid
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE t.tgname = 'audit'
         AND a.attname <> ALL (string_to_array(encode(t.tgargs, 'escape'), '\\000'))`,
    );
    const { tables } = service.app.get(AuditKinds);
    const told = [...tables].flatMap(([table, { shown, adminOnly = '', hidden }]) =>
      [shown, adminOnly, hidden].flatMap((list) =>
        list.split(' ').flatMap((column) => (column === '' ? [] : [`${table}.${column}`])),
      ),
    );
    expect([...told].sort()).toEqual(columns.map(({ table, column }) => `${table}.${column}`).sort());
    expect(new Set([...tables.values()].map(({ kind }) => kind)).size).toBe(tables.size);
  });

  it('tells who did what, in the words of the interface', async () => {
    await rename(custadmin.client, plain, 'Piet');
    expect(await last()).toEqual(
      auditEntry({
        id: expect.any(Number) as number,
        dtStamp: expect.stringMatching(/^\d{10}$/) as string,
        actor: {
          type: 'user',
          userId: custadmin.id,
          username: custadmin.username,
          credential: 'login',
          ip: CLIENT_ADDRESS,
        },
        change: {
          action: 'update',
          kind: 'users',
          id: plain.id,
          organisationId,
          before: { firstName: 'Jan' },
          after: { firstName: 'Piet' },
        },
      }),
    );
    const acts = await log();
    expect(acts.map(({ id }) => id)).toEqual([...acts.map(({ id }) => id)].sort((one, other) => one - other));
    expect(new Set(acts.map(({ change }) => change.organisationId))).toEqual(new Set([organisationId]));
    expect((await log('&orderType=DESC')).map(({ id }) => id)).toEqual(acts.map(({ id }) => id).reverse());
  });

  it('hides who of the operator acted, and who above whom the reader cannot see', async () => {
    await rename(admin, plain, 'By admin');
    expect(await last()).toMatchObject({
      actor: { type: 'operator', ...UNKNOWN },
      change: { after: { firstName: 'By admin' } },
    });
    expect((await last('', admin))?.actor).toMatchObject({ type: 'user', userId: 1, ip: CLIENT_ADDRESS });
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
    await rename(staff.client, plain, 'By staff');
    expect((await last())?.actor).toEqual({ type: 'operator', ...UNKNOWN });
    await rename(reseller.custadmin.client, plain, 'By reseller');
    expect((await last())?.actor).toEqual({ type: 'manager', ...UNKNOWN });
    expect((await last('', reseller.custadmin.client))?.actor).toMatchObject({
      type: 'user',
      userId: reseller.custadmin.id,
      username: reseller.custadmin.username,
    });
    await service.sql`UPDATE users SET last_name = 'By hand' WHERE id = ${plain.id}`;
    expect((await last())?.actor).toEqual({ type: 'operator', ...UNKNOWN });
  });

  it('hides what only admins see of the organisation', async () => {
    await admin
      .patch(`/organisations/${organisationId}`, {
        name: 'N',
        taxNumber: 'T',
        externalId: 'ERP-7',
        city: 'Gouda',
      })
      .expect(204);
    expect((await last('&kind=organisations'))?.change.after).toEqual({
      name: 'N',
      taxNumber: 'T',
      city: 'Gouda',
    });
    expect((await last('&kind=organisations', admin))?.change.after).toMatchObject({ externalId: 'ERP-7' });
  });

  it('writes names and values as the interface does', async () => {
    await custadmin.client.post(`${pathOf(plain)}/actions`, { type: 'disable' }).expect(200);
    expect((await last('&kind=users'))?.change).toMatchObject({
      before: { status: 'ok' },
      after: { status: 'deactivated' },
    });
    await custadmin.client.post(`${pathOf(plain)}/actions`, { type: 'enable' }).expect(200);
    await admin
      .patch(`/organisations/${organisationId}`, { name: 'N', taxNumber: 'T', nextInvoiceRun: '1767225600' })
      .expect(204);
    // Variant B has no such field.
    if (variant === 'A') {
      expect((await last('&kind=organisations', admin))?.change).toMatchObject({
        before: { nextInvoiceRun: '' },
        after: { nextInvoiceRun: '1767225600' },
      });
    }
    const now = Math.floor(Date.now() / 1000);
    await anonymous(service)
      .post('/login', { username: plain.username, password: PASSWORD })
      .set('X-Forwarded-For', CLIENT_ADDRESS)
      .expect(200);
    const { after } = (await last('&kind=logins', admin))?.change ?? {};
    expect(after).toMatchObject({ ip: CLIENT_ADDRESS });
    expect(Number(after?.['dtCreated'])).toBeGreaterThanOrEqual(now);
    expect(Object.keys(after ?? {}).filter((name) => /At$|^address$/.test(name))).toEqual([]);
  });

  it('has no secret in it', async () => {
    await custadmin.client.post(`${pathOf(plain)}/actions`, { type: 'disable' }).expect(200);
    await custadmin.client.post(`${pathOf(plain)}/actions`, { type: 'enable' }).expect(200);
    for (const client of [custadmin.client, admin]) {
      expect(JSON.stringify(await log('', client))).not.toMatch(/digest|hash|totpSecret":"(?!\(changed)/i);
    }
  });

  it('tells what own users did elsewhere, without the values', async () => {
    await rename(reseller.custadmin.client, plain, 'Elsewhere');
    expect(await last('', reseller.custadmin.client, reseller.organisationId)).toMatchObject({
      actor: { userId: reseller.custadmin.id },
      change: { kind: 'users', id: plain.id, organisationId, before: null, after: null },
    });
    const seenByAdmin = await last('', admin, reseller.organisationId);
    expect(seenByAdmin?.change.after).toMatchObject({ firstName: 'Elsewhere' });
    // Each act once, whoever's log it is in.
    const ids = (await log('', admin, reseller.organisationId)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('tells a CUSTADMIN of the operator nothing of admins', async () => {
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
    await makeContact(service, { organisationId: 1, userId: 1, name: 'private@operator.example' });
    const acts = await log('', staff.client, 1);
    expect(acts.length).toBeGreaterThan(3);
    expect(acts.filter(({ change }) => change.before !== null || change.after !== null)).toEqual([]);
    expect(
      acts.filter(({ actor }) => actor.userId === 1 || (actor.type === 'operator' && actor.ip !== '')),
    ).toEqual([]);
    expect(JSON.stringify(await log('', admin, 1))).toContain('private@operator.example');
  });

  it('is narrowed by user, kind and time', async () => {
    const third = await makeUser(service, { organisationId });
    await rename(third.client, third, 'Third');
    const ofThird = await log(`&user=${third.id}`);
    expect(ofThird.map(({ change }) => [change.action, change.kind])).toEqual([['update', 'users']]);
    // Whom the reader may not see, it cannot look for.
    expect(await log('&user=1')).toEqual([]);
    expect((await log('&user=1', admin)).length).toBeGreaterThan(0);
    expect(await log(`&user=${reseller.custadmin.id}`)).toEqual([]);
    const byReseller = await log(`&user=${reseller.custadmin.id}`, reseller.custadmin.client);
    expect(byReseller.length).toBeGreaterThan(0);
    expect(new Set(byReseller.map(({ actor }) => actor.userId))).toEqual(new Set([reseller.custadmin.id]));
    expect(await log('&user=x')).toEqual([]);

    const all = await log();
    const ofKind = await log('&kind=logins');
    expect(ofKind).toEqual(all.filter(({ change }) => change.kind === 'logins'));
    expect(ofKind.length).toBeGreaterThan(0);
    expect(await log('&kind=login')).toEqual([]);
    expect(await log(`&kind=users&user=${third.id}`)).toEqual(ofThird);

    const now = Math.floor(Date.now() / 1000);
    expect(await log(`&from=${now - 3600}&to=${now + 3600}`)).toEqual(all);
    expect(await log(`&from=${now + 60}`)).toEqual([]);
    expect(await log(`&to=${now - 3600}`)).toEqual([]);
    for (const query of ['from=yesterday', 'to=-1', 'from=1e3&to=x']) {
      const response = await custadmin.client
        .get(`/organisations/${organisationId}/audit?${query}`)
        .expect(400);
      expect(failingFields(response)).toEqual(query.includes('&') ? ['from', 'to'] : [query.split('=')[0]]);
    }
  });

  it('is found by kind, act and user name', async () => {
    const all = await log();
    expect(await log('&filter=LOGIN')).toEqual(all.filter(({ change }) => change.kind === 'logins'));
    expect(await log('&filter=upd')).toEqual(all.filter(({ change }) => change.action === 'update'));
    const mine = await log(`&filter=${encodeURIComponent(custadmin.username)}`);
    expect(mine).toEqual(all.filter(({ actor }) => actor.userId === custadmin.id));
    expect(mine.length).toBeGreaterThan(0);
    expect(await log('&filter=%25')).toEqual([]);
  });

  it('has the moments of old rows in order, whenever they were written', async () => {
    const old = await makeOrganisation(service);
    for (const [days, name] of [
      [30, 'a'],
      [20, 'b'],
      [10, 'c'],
    ] as const) {
      await service.sql`INSERT INTO audit_log (at, action, table_name, record_id, organisation_id, after)
         VALUES (now() - make_interval(days => ${days}), 'insert', 'teams', 1, ${old}, jsonb_build_object('name', ${name}::text))`;
    }
    const day = (days: number) => Math.floor(Date.now() / 1000) - days * 86_400;
    const names = async (query: string) =>
      (await log(`&kind=teams${query}`, admin, old)).map(({ change }) => change.after?.['name']);
    expect(await names('')).toEqual(['a', 'b', 'c']);
    expect(await names(`&from=${day(25)}`)).toEqual(['b', 'c']);
    expect(await names(`&to=${day(15)}`)).toEqual(['a', 'b']);
    expect(await names(`&from=${day(25)}&to=${day(15)}`)).toEqual(['b']);
    expect(await names(`&orderBy=dtStamp&orderType=DESC`)).toEqual(['c', 'b', 'a']);
  });

  it('pages without gap or repetition, and leads on', async () => {
    const all = (await log('', reseller.custadmin.client, reseller.organisationId)).map(({ id }) => id);
    const paged: number[] = [];
    let path: string | undefined = `/organisations/${reseller.organisationId}/audit?limit=2`;
    while (path !== undefined) {
      const response: Response = await reseller.custadmin.client.get(path).expect(200);
      paged.push(...(response.body as { audit: Act[] }).audit.map(({ id }) => id));
      path = /<\/v1([^>]*)>; rel="next"/.exec(response.headers['link'] ?? '')?.[1];
    }
    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(4);
  });

  it('is csv too', async () => {
    const acts = await log('&kind=users');
    const response = await custadmin.client
      .get(`/organisations/${organisationId}/audit?kind=users`)
      .set('Accept', 'text/csv')
      .expect(200);
    const [header, ...rows] = response.text.trimEnd().split('\r\n');
    expect(header).toBe(
      'id,dtStamp,actor.type,actor.userId,actor.username,actor.credential,actor.ip,' +
        'actor.serviceKeyId,actor.name,actor.reason,actor.onBehalfOf.userId,actor.onBehalfOf.username,' +
        'actor.organisationId,actor.grantId,change.action,change.kind,change.id,change.organisationId,change.before,change.after',
    );
    expect(rows).toHaveLength(acts.length);
    expect(response.text).toContain('"{""firstName"":""Piet""}"');
  });

  it('knows from the row alone whose user acted elsewhere', async () => {
    await rename(reseller.custadmin.client, plain, 'Again');
    const [row] = await auditRows(service, 'acting_organisation_id = $1', [reseller.organisationId]);
    expect(row).toMatchObject({ actor_user_id: reseller.custadmin.id, organisation_id: organisationId });
  });
});
