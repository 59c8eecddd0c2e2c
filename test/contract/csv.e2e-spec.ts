import { parse } from 'node:querystring';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, makeGrant } from '../support/factories/factories';
import { makeContact, makeTeam } from '../support/factories/records';
import { ApiClient, asAdmin } from '../support/service/client';
import { csvRecords, csvRows, inCsv } from '../support/service/csv';
import { describeSharedService } from '../support/service/shared-services';

const CSV = 'text/csv; charset=utf-8; header=present';

/** The columns of organisations for who is no admin. */
const REDUCED: PerVariant<readonly string[]> = {
  A: [
    'id',
    'name',
    'taxNumber',
    'mustPayTax',
    'remarksToPrintInvoice',
    'updateEntitiesOnly',
    'preventDeactivation',
    'parentOrganisation',
    'externalInfoRequired',
    'nextInvoiceRun',
    'required2fa',
    'agencyMode',
    'bundleProRata',
    'testAccount',
    'beforeFirstOrder',
    'street',
    'houseNumber',
    'zip',
    'city',
    'country.id',
    'country.name',
    'resellerOrganisation.id',
    'resellerOrganisation.name',
    'resellerOrganisation.taxNumber',
    'organisationType.id',
    'organisationType.identifier',
    'organisationType.description',
    'source1',
    'source2',
    'pdfInvoice',
    'peppolInvoicing',
    'isSoft',
    'information',
  ],
  B: [
    'id',
    'name',
    'taxNumber',
    'mustPayTax',
    'street',
    'houseNumber',
    'zip',
    'city',
    'country.id',
    'country.name',
    'resellerOrganisation.id',
    'resellerOrganisation.name',
    'resellerOrganisation.taxNumber',
    'users.id',
    'users.username',
    'users.email',
    'users.firstName',
    'users.lastName',
    'users.roles',
    'remarksToPrintInvoice',
    'updateEntitiesOnly',
  ],
};

/** The columns that admins have beside them. */
const ADMIN_ONLY: PerVariant<readonly string[]> = {
  A: [
    'externalId',
    'paymentperiod',
    'resellerKickback',
    'defaultResellerKickback',
    'discount',
    'prePaymentRequired',
    'defaultAgreements',
    'users.id',
    'users.username',
    'users.email',
    'users.firstName',
    'users.lastName',
    'users.roles',
    'pricegroup.id',
    'pricegroup.description',
  ],
  B: [],
};

/** The columns that a single read of an organisation has beside those of the list. */
const SINGLE_ONLY: PerVariant<readonly string[]> = { A: [], B: ['preventDeactivation'] };

describeSharedService(VARIANTS, 'GET as csv in Variant %s', (service, variant) => {
  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;

  beforeAll(async () => {
    ({ organisationId, custadmin, plain } = await makeCustomer(service, { name: '=1+1' }));
    const other = await makeCustomer(service, { name: 'Another, "customer"' });
    await makeContact(service, { organisationId: other.organisationId, userId: other.plain.id });
  });

  it('GET …/users: has the rows of the JSON list under a header of the documented fields', async () => {
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

  it('GET …/teams and /organisations: joins lists, dots nested fields and never lets a spreadsheet calculate', async () => {
    const team = await makeTeam(service, organisationId, {
      name: '@SUM(A1),"x"',
      userIds: [custadmin.id, plain.id],
    });
    const response = await inCsv(plain.client, `/organisations/${organisationId}/teams`).expect(200);
    expect(csvRows(response.text)).toEqual([
      expect.objectContaining({
        id: String(team),
        name: `'@SUM(A1),"x"`,
        'users.username': `${custadmin.username};${plain.username}`,
        'teamEntities.apps.id': '',
      }),
    ]);
    const organisations = csvRows((await inCsv(plain.client, '/organisations').expect(200)).text);
    expect(organisations).toEqual([
      expect.objectContaining({
        id: String(organisationId),
        name: "'=1+1",
        'country.id': '',
      }),
    ]);
    expect(Object.keys(organisations[0] ?? {})).not.toContain('total');
  });

  it('GET /organisations, …/grants/{grantId} and /whoami: has the columns that the JSON has for its caller, whatever the rows', async () => {
    const admin = await asAdmin(service);
    const grantee = await makeCustomer(service);
    const grantId = await makeGrant(service, organisationId, grantee.organisationId);
    const sorted = (names: readonly string[]) => [...names].sort();
    const header = async (client: ApiClient, path: string): Promise<string[]> => {
      const [columns = []] = csvRecords((await inCsv(client, path).expect(200)).text);
      return columns.sort();
    };
    const of = `/organisations/${organisationId}`;
    const reduced = REDUCED[variant];
    for (const { client } of [custadmin, plain, grantee.custadmin])
      for (const query of ['', '?limit=1', '?limit=0&orderBy=name', '?filter=nobody', '?offset=5']) {
        expect(await header(client, `/organisations${query}`)).toEqual(sorted(reduced));
        expect(await header(client, of)).toEqual(sorted([...reduced, ...SINGLE_ONLY[variant]]));
      }
    for (const query of ['', '?filter=nobody'])
      expect(await header(admin, `/organisations${query}`)).toEqual(
        sorted([...reduced, ...ADMIN_ONLY[variant]]),
      );
    expect(await header(admin, of)).toEqual(
      sorted([...reduced, ...ADMIN_ONLY[variant], ...SINGLE_ONLY[variant]]),
    );
    const grant = ['id', 'organisation.id', 'organisation.name', 'grantee.id', 'grantee.name', 'access'];
    const more = ['onlyTeams', 'dtCreated', 'dtExpires'];
    expect(await header(custadmin.client, `${of}/grants/${grantId}`)).toEqual(sorted([...grant, ...more]));
    expect(
      await header(grantee.custadmin.client, `/organisations/${grantee.organisationId}/grants/${grantId}`),
    ).toEqual(sorted([...grant, ...more, 'teams.id', 'teams.name']));
    expect(await header(plain.client, '/whoami')).toEqual(
      sorted(['userId', 'organisationId', 'username', 'name', 'email']),
    );
  });

  it('GET …/contacts/{contactId} and /whoami: has one row', async () => {
    const contact = await makeContact(service, { organisationId, userId: plain.id, groups: ['Job'] });
    const path = `/organisations/${organisationId}/users/${plain.id}/contacts`;
    const single = await inCsv(plain.client, `${path}/${contact}`).expect(200);
    expect(csvRows(single.text)).toEqual([
      {
        id: String(contact),
        type: 'email',
        name: expect.stringContaining('@') as string,
        'preferences.name': 'System;Domain;App;Finance;Job;Crm;Mail',
        'preferences.value': 'false;false;false;false;true;false;false',
      },
    ]);
    const whoami = await inCsv(plain.client, '/whoami').expect(200);
    expect(csvRows(whoami.text)).toEqual([
      expect.objectContaining({ userId: String(plain.id), username: plain.username }),
    ]);
    expect(
      (await inCsv(custadmin.client, `/organisations/${organisationId}/users/${custadmin.id}/contacts`)).text,
    ).toBe('id,type,name,preferences.name,preferences.value\r\n');
  });

  it('GET …/users: keeps limit, offset, orderBy, filter and Link', async () => {
    const path = `/organisations/${organisationId}/users`;
    const page = await inCsv(custadmin.client, `${path}?limit=1&orderBy=id&orderType=desc`).expect(200);
    expect(csvRows(page.text).map(({ id }) => id)).toEqual([String(plain.id)]);
    const [, next = ''] = /^<([^>]*)>; rel="next"$/.exec(String(page.headers['link'])) ?? [];
    expect({ ...parse(next.split('?')[1] ?? '') }).toEqual({
      limit: '1',
      orderBy: 'id',
      orderType: 'desc',
      offset: '1',
    });
    const last = await inCsv(custadmin.client, next.replace('/v1', '')).expect(200);
    expect(csvRows(last.text).map(({ id }) => id)).toEqual([String(custadmin.id)]);
    expect(last.headers['link']).toBeUndefined();
    const linked = await custadmin.client.get(`${path}?limit=1&format=csv`).expect(200);
    expect(linked.headers['link']).toContain('format=csv');
    const none = await inCsv(custadmin.client, `${path}?filter=nobody`).expect(200);
    expect(csvRecords(none.text)).toHaveLength(1);
  });

  it('GET …/users: is JSON unless Accept or format asks for csv and likes it best', async () => {
    const path = `/organisations/${organisationId}/users`;
    for (const accept of [
      '*/*',
      'application/json',
      'text/html',
      'application/xml',
      'application/json, text/csv',
      'text/csv;q=0.5, application/json',
      'text/csv;q=0',
      'text/csv;charset=utf-8;q=0',
      'text/csv;charset=utf-8;q=0, */*',
      'text/csv;charset=utf-8;q=0.5, application/json',
      'application/json, text/csv;charset=utf-8',
      'text/csvs',
      'x-text/csv',
      'application/json;x=text/csv',
    ]) {
      const response = await custadmin.client.get(path).set('Accept', accept).expect(200);
      expect(response.headers['content-type']).toContain('application/json');
    }
    for (const accept of [
      'TEXT/CSV',
      'text/csv, application/json;q=0.9',
      'text/csv;q=0.5, */*;q=0.1',
      'text/csv; charset=utf-8',
      'Text/CSV;Charset=UTF-8;header=present',
      'text/csv;header="a, b";q=0.5, */*;q=0.1',
      'text/csv;charset=utf-8;q=0.9, application/json;q=0.8',
      'text/csv;header=present;q=0.5',
      'text/csv;charset=utf-8, */*',
      'text/csv ; charset=utf-8 ; q=1, application/json ; q=0.9',
    ]) {
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

  it('takes format=csv in any case, an empty format as none, and is 400 NOT_A_CHOICE for another', async () => {
    const users = `/organisations/${organisationId}/users`;
    for (const path of [users, `${users}/${plain.id}`, '/whoami']) {
      const typeOf = async (query: string): Promise<unknown> =>
        (await custadmin.client.get(`${path}?${query}`).expect(200)).headers['content-type'];
      for (const query of ['format=csv', 'format=CSV', 'format=Csv']) expect(await typeOf(query)).toBe(CSV);
      for (const query of ['format=json', 'format=JSON', 'format=', 'format'])
        expect(await typeOf(query)).toBe('application/json; charset=utf-8');
      const empty = await inCsv(custadmin.client, `${path}?format=`).expect(200);
      expect(empty.headers['content-type']).toBe(CSV);
      for (const [query, reason] of [
        ['format=xml', 'NOT_A_CHOICE'],
        ['format=%20csv', 'NOT_A_CHOICE'],
        ['format=csv,json', 'NOT_A_CHOICE'],
        ['format=csv&format=csv', 'GIVEN_TWICE'],
      ]) {
        const refused = await inCsv(custadmin.client, `${path}?${query}`).expect(400);
        expect(refused.body).toMatchObject({ reason: 'VALIDATION_FAILED', reasons: { format: [reason] } });
        await custadmin.client.call('head', `${path}?${query}`).expect(400);
      }
    }
    const several = await custadmin.client.get(`${users}?format=xml&limit=x`).expect(400);
    expect(several.body).toMatchObject({ reasons: { format: ['NOT_A_CHOICE'], limit: ['INVALID'] } });
    const { headers } = await custadmin.client.get(`${users}/${plain.id}`).expect(200);
    await custadmin.client
      .get(`${users}/${plain.id}?format=xml`)
      .set('If-None-Match', headers['etag'] as string)
      .expect(400);
    await custadmin.client
      .post(`/organisations/${organisationId}/teams?format=xml`, { name: 'Format' })
      .expect(201);
  });

  it('GET …/users?format=xml: 401, 403, 404 and 500 come before the 400', async () => {
    const path = `/organisations/${organisationId}/users`;
    const { client: stranger } = (await makeCustomer(service)).plain;
    await new ApiClient(service.url).get(`${path}?format=xml`).expect(401);
    await stranger.get(`${path}?format=xml`).expect(403);
    await custadmin.client.get(`${path}/999999?format=xml`).expect(404);
    await plain.client.get(`/organisations/${organisationId}/organisations?format=xml`).expect(500);
  });

  it('GET …/users: 400, 401, 403, 404 and 500 are JSON', async () => {
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

  it('HEAD …/users: has the headers alone', async () => {
    const response = await custadmin.client
      .call('head', `/organisations/${organisationId}/users?limit=1`)
      .set('Accept', 'text/csv')
      .expect(200);
    expect(response.headers['content-type']).toBe(CSV);
    expect(response.headers['link']).toContain('rel="next"');
    expect(response.text ?? '').toBe('');
  });
});
