import { brandRecord } from '../../qa/responses';
import { makeBrand } from '../support/factories/brands-factories';
import { makeCustomer, makeGrant, makeOrganisation } from '../support/factories/factories';
import { makeServiceKey } from '../support/factories/key-factories';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { auditRows } from '../support/service/audit';
import { type ApiClient, asAdmin, failingFields } from '../support/service/client';
import type { TestService } from '../support/service/service';
import { describeSharedService } from '../support/service/shared-services';

const OPERATOR = 1;

const brandOf = (organisationId: number): string => `/organisations/${organisationId}/brand`;

describeSharedService(SHARED_VARIANTS, '…/brand in Variant %s: brands', (service: TestService) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });

  it('are made with a name, and then change by what is named', async () => {
    const organisationId = await makeOrganisation(service);
    const path = brandOf(organisationId);
    const refused = await admin.put(path, { colour: '#1a56a8' }).expect(400);
    expect(failingFields(refused)).toEqual(['name']);
    await admin.get(path).expect(404);
    await admin
      .put(path, { name: 'Kantoor', colour: '#1A56A8', panelUrl: 'https://p.example/a//' })
      .expect(204);
    const made = { organisationId, name: 'Kantoor', colour: '#1a56a8', panelUrl: 'https://p.example/a' };
    expect((await admin.get(path).expect(200)).body).toEqual({ brand: brandRecord(made) });
    await admin.put(path, { supportUrl: 'help@münchen.example' }).expect(204);
    const supported = { ...made, supportUrl: 'help@xn--mnchen-3ya.example' };
    expect((await admin.get(path).expect(200)).body).toEqual({ brand: brandRecord(supported) });
    await admin.put(path, { panelUrl: 'https://M\u00fcnchen.example:8443/a' }).expect(204);
    expect((await admin.get(path).expect(200)).body).toMatchObject({
      brand: { panelUrl: 'https://xn--mnchen-3ya.example:8443/a' },
    });
    await admin.put(path, { supportUrl: null, panelUrl: '', colour: null }).expect(204);
    const bare = { organisationId, name: 'Kantoor' };
    expect((await admin.get(path).expect(200)).body).toEqual({ brand: brandRecord(bare) });
    for (const name of [null, '', ' ', '\u200b', 'x'.repeat(101), 'a\nb', 'a\u202eb']) {
      expect(failingFields(await admin.put(path, { name }).expect(400))).toEqual(['name']);
    }
    for (const name of ['=?utf-8?Q?=41dmin=0D=0ABcc:_x?=', 'Kantoor =?']) {
      const encoded = await admin.put(path, { name }).expect(400);
      expect(encoded.body).toMatchObject({ reasons: { name: ['FORBIDDEN_CHARACTER'] } });
    }
    for (const rest of [`panel.example/${'x'.repeat(2000)}`, `${'long.'.repeat(360)}example`]) {
      const long = await admin.put(path, { panelUrl: `https://${rest}` }).expect(400);
      expect(failingFields(long)).toEqual(['panelUrl']);
    }
    await admin.put(path, { name: '😀'.repeat(100) }).expect(204);
    await admin.delete(path).expect(204);
    await admin.delete(path).expect(404);
  });

  it.each([
    ['colour', 'red'],
    ['colour', '#abc'],
    ['colour', '#1a56a8ff'],
    ['colour', '#777777'],
    ['colour', '#ffff00'],
    ['panelUrl', 'http://panel.example'],
    ['panelUrl', 'https://user@panel.example'],
    ['panelUrl', 'https://:pw@panel.example'],
    ['panelUrl', 'https://panel.example?a=1'],
    ['panelUrl', 'https://panel.example/?'],
    ['panelUrl', 'https://panel.example/#'],
    ['panelUrl', String.raw`https://panel.example\@evil.example`],
    ['panelUrl', 'https://panel.example/ x'],
    ['panelUrl', 'https:panel.example'],
    ['panelUrl', 'javascript:alert(1)'],
    ['panelUrl', 'https://{token}.evil.example'],
    ['panelUrl', `https://a"b'c\`d.example`],
    ['panelUrl', 'https://panel.example:0'],
    ['panelUrl', 'https://localhost'],
    ['panelUrl', 'https://panel'],
    ['panelUrl', 'https://127.0.0.1'],
    ['panelUrl', 'https://0x7f.1'],
    ['panelUrl', 'https://[::1]'],
    ['panelUrl', 'https://panel.example.'],
    ['supportUrl', 'https://localhost/help'],
    ['supportUrl', 'https://192.0.2.1'],
    ['supportUrl', 'https://help.example:0/'],
    ['panelUrl', 'help@kantoor.example'],
    ['supportUrl', 'http://help.example'],
    ['supportUrl', 'mailto:help@kantoor.example'],
    ['supportUrl', 'help@kantoor'],
    ['supportUrl', 'help@kantoor.example\r\nBcc: all@example.com'],
    ['supportUrl', 'help@kantoor.example, more@kantoor.example'],
    ['supportUrl', 'Help <help@kantoor.example>'],
  ])('refuse %s %j', async (field, value) => {
    const organisationId = await makeOrganisation(service);
    const response = await admin
      .put(brandOf(organisationId), { name: 'Kantoor', [field]: value })
      .expect(400);
    expect(failingFields(response)).toEqual([field]);
    await admin.get(brandOf(organisationId)).expect(404);
  });

  it.each([
    ['#767676', '#767676'],
    ['#1a56a8', '#1a56a8'],
    ['#FF0000', undefined],
    ['#E00000', '#e00000'],
  ])('take the colour %s as %s by its contrast with white', async (colour, stored) => {
    const organisationId = await makeOrganisation(service);
    const response = await admin.put(brandOf(organisationId), { name: 'Kantoor', colour });
    expect(response.status).toBe(stored === undefined ? 400 : 204);
    if (stored === undefined) {
      expect(response.body).toMatchObject({ reasons: { colour: ['CONTRAST_TOO_LOW'] } });
    } else
      expect((await admin.get(brandOf(organisationId))).body).toMatchObject({ brand: { colour: stored } });
  });

  it('are found from the reseller of an organisation upwards over reseller links', async () => {
    const top = await makeOrganisation(service);
    const middle = await makeCustomer(service, { resellerId: top });
    const below = await makeCustomer(service, { resellerId: middle.organisationId });
    // A parent is no reseller.
    const child = await makeOrganisation(service, { parentId: middle.organisationId });
    const nearest = async (organisationId: number): Promise<unknown> => {
      const { body } = await admin.get(`${brandOf(organisationId)}?nearest=true`);
      return (body as { brand?: { organisationId: number } }).brand?.organisationId;
    };
    expect(await nearest(below.organisationId)).toBeUndefined();
    await makeBrand(service, top, { name: 'Top' });
    expect(await nearest(below.organisationId)).toBe(top);
    expect(await nearest(top)).toBeUndefined();
    expect(await nearest(child)).toBeUndefined();
    await makeBrand(service, middle.organisationId, { name: 'Middle' });
    expect(await nearest(below.organisationId)).toBe(middle.organisationId);
    // The operator's mails to a reseller are not in the name of the reseller.
    expect(await nearest(middle.organisationId)).toBe(top);
    await below.plain.client.get(brandOf(below.organisationId)).expect(404);
    const shown = await below.plain.client.get(`${brandOf(below.organisationId)}?nearest=1`).expect(200);
    expect(shown.body).toEqual({
      brand: brandRecord({ organisationId: middle.organisationId, name: 'Middle' }),
    });
    // The state of another organisation is no state of this one.
    expect(shown.headers['etag']).toBeUndefined();
    await below.plain.client.get(`${brandOf(below.organisationId)}?nearest=perhaps`).expect(400);
    await admin.delete(brandOf(middle.organisationId)).expect(204);
    expect(await nearest(below.organisationId)).toBe(top);
    // The operator's own holds for all that have no other, and for its own people.
    await admin.put(brandOf(OPERATOR), { name: 'Operator' }).expect(204);
    expect(await nearest(top)).toBe(OPERATOR);
    expect(await nearest(child)).toBe(OPERATOR);
    expect(await nearest(OPERATOR)).toBe(OPERATOR);
    expect(await nearest(below.organisationId)).toBe(top);
    await admin.delete(brandOf(OPERATOR)).expect(204);
    expect(await nearest(top)).toBeUndefined();
  });

  it('are read by the users, those above and grantees, and written by the operator alone', async () => {
    const reseller = await makeCustomer(service);
    const { organisationId, custadmin, plain } = await makeCustomer(service, {
      resellerId: reseller.organisationId,
    });
    const grantee = await makeCustomer(service);
    const stranger = await makeCustomer(service);
    await makeGrant(service, organisationId, grantee.organisationId, { access: 'manage' });
    await makeBrand(service, organisationId);
    const path = brandOf(organisationId);
    for (const { client } of [plain, custadmin, reseller.custadmin]) {
      await client.get(path).expect(200);
      await client.put(path, { name: 'Mine' }).expect(500);
      await client.delete(path).expect(500);
    }
    await grantee.custadmin.client.get(path).expect(200);
    await grantee.custadmin.client.put(path, { name: 'Mine' }).expect(403);
    await grantee.custadmin.client.delete(path).expect(403);
    for (const { client } of [stranger.custadmin, reseller.plain, grantee.plain]) {
      for (const method of ['get', 'delete'] as const) await client[method](path).expect(403);
      await client.put(path, { name: 'Mine' }).expect(403);
    }
    const key = await makeServiceKey(service, 1, { operations: ['brands.update'], asAdmin: true });
    await key.client.put(path, { name: 'By the operator' }).expect(204);
    await key.client.delete(path).expect(403);
  });

  it('are one for an organisation, whoever makes it first', async () => {
    const organisationId = await makeOrganisation(service);
    const put = (name: string) => admin.put(brandOf(organisationId), { name }).set('If-Match', '"0"');
    const statuses = (await Promise.all(Array.from({ length: 8 }, (_, index) => put(`Brand ${index}`)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([204, 412, 412, 412, 412, 412, 412, 412]);
    const other = await makeOrganisation(service);
    const all = Array.from({ length: 8 }, (_, index) =>
      admin.put(brandOf(other), { name: `Brand ${index}` }),
    );
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([204]));
    expect(await service.sql`SELECT FROM brands WHERE organisation_id = ${other}`).toHaveLength(1);
    const { headers } = await admin.get(brandOf(organisationId)).expect(200);
    await admin
      .put(brandOf(organisationId), { colour: '#1a56a8' })
      .set('If-Match', headers['etag'] as string)
      .expect(204);
    await admin
      .put(brandOf(organisationId), { name: 'Late' })
      .set('If-Match', headers['etag'] as string)
      .expect(412);
  });

  it('have tags that no later brand of the organisation has', async () => {
    const organisationId = await makeOrganisation(service);
    const path = brandOf(organisationId);
    const put = async (name: string) =>
      (await admin.put(path, { name }).expect(204)).headers['etag'] as string;
    const former: string[] = [];
    for (const name of ['Old', 'Older', 'Oldest']) former.push(await put(name));
    await admin.delete(path).expect(204);
    for (const name of ['New', 'Newer', 'Newest', 'Last']) expect(former).not.toContain(await put(name));
    for (const tag of former) {
      await admin.get(path).set('If-None-Match', tag).expect(200);
      await admin.put(path, { name: 'Late' }).set('If-Match', tag).expect(412);
      await admin.delete(path).set('If-Match', tag).expect(412);
    }
    expect((await admin.get(path).expect(200)).body).toMatchObject({ brand: { name: 'Last' } });
  });

  it('are in the audit log and events of the organisation and those above', async () => {
    const reseller = await makeCustomer(service);
    const { organisationId, custadmin } = await makeCustomer(service, {
      resellerId: reseller.organisationId,
    });
    const path = brandOf(organisationId);
    await admin.put(path, { name: 'Kantoor', colour: '#1a56a8' }).expect(204);
    expect(
      await auditRows(service, `table_name = 'brands' AND organisation_id = $1`, [organisationId]),
    ).toMatchObject([
      { action: 'insert', table_name: 'brands', organisation_id: organisationId, after: { name: 'Kantoor' } },
    ]);
    await admin.put(path, { supportUrl: 'help@kantoor.example' }).expect(204);
    await admin.delete(path).expect(204);
    const typesOf = async (client: ApiClient, feed: string) =>
      ((await client.get(feed).expect(200)).body as { events: { type: string; data: object }[] }).events
        .filter(({ type }) => type.startsWith('brands.'))
        .map(({ type, data }) => ({ type, ...data }));
    const events = [
      {
        type: 'brands.updated',
        recordId: organisationId,
        changed: ['colour', 'name', 'panelUrl', 'supportUrl'],
      },
      { type: 'brands.updated', recordId: organisationId, changed: ['supportUrl'] },
      { type: 'brands.deleted', recordId: organisationId, changed: [] },
    ];
    expect(await typesOf(custadmin.client, `/organisations/${organisationId}/events?limit=0`)).toMatchObject(
      events,
    );
    const above = `/organisations/${reseller.organisationId}/events?limit=0&beneath=true`;
    expect(await typesOf(reseller.custadmin.client, above)).toMatchObject(events);
  });

  it('go with their organisation', async () => {
    const organisationId = await makeOrganisation(service);
    await makeBrand(service, organisationId);
    await admin.delete(`/organisations/${organisationId}`).expect(204);
    expect(await service.sql`SELECT FROM brands WHERE organisation_id = ${organisationId}`).toEqual([]);
  });
});
