import { userItem } from '../../qa/responses';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import {
  type Customer,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
  nextNumber,
} from '../support/factories/factories';
import { anonymous, type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { describeSharedService } from '../support/service/shared-services';

interface Created {
  organisation: Record<string, unknown> & { id: number };
}

/** Where the operator organisation stands. */
const OPERATOR: PerVariant<object> = {
  A: { parentOrganisation: '', organisationType: { id: '3', identifier: 3, description: 'Operator' } },
  B: {},
};

/** Fields that a variant does not know are ignored. */
const KNOWS_FIELDS_OF_A: PerVariant<boolean> = { A: true, B: false };

const NULLABLE: PerVariant<readonly string[]> = {
  A: ['defaultResellerKickback', 'defaultAgreements', 'information'],
  B: [],
};
/** Types of organisations that only the operator organisation has, in variants that take a type. */
const REFUSED_TYPES: PerVariant<readonly (readonly [object, string])[]> = {
  A: [
    [{ organisationType: 4 }, 'organisationType'],
    [{ organisationType: 99 }, 'organisationType'],
  ],
  B: [],
};

const MINIMAL = { name: 'Bakkerij de Vries', taxNumber: 'NL001234567B01' };

const create = async (client: ApiClient, body: object): Promise<Created['organisation']> => {
  const response = await client.post('/organisations', body);
  expect({ status: response.status, body: response.body as unknown }).toMatchObject({ status: 201 });
  return (response.body as Created).organisation;
};

const read = async (client: ApiClient, id: number): Promise<Created['organisation']> =>
  ((await client.get(`/organisations/${id}`).expect(200)).body as Created).organisation;

/** Bad field values as test cases, with titles that stay short. */
const refusals = (cases: readonly (readonly [object, string])[]) =>
  cases.map(([fields, field]) => ({ shown: JSON.stringify(fields).slice(0, 60), fields, field }));

describeSharedService(VARIANTS, '/organisations in Variant %s', (service, variant) => {
  const takesAll = KNOWS_FIELDS_OF_A[variant];
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  /** Another customer, in the way of every test. */

  let other: Customer;
  beforeAll(async () => {
    other = await makeCustomer(service, { name: 'Another customer' });
  });

  describe('GET /organisations/{organisationId}', () => {
    it('shows users, country and reseller as they are described', async () => {
      const resellerId = await makeOrganisation(service, { name: 'Reseller' });
      const { id } = await create(admin, { ...MINIMAL, country: 'nl', resellerOrganisation: resellerId });
      const user = await makeUser(service, {
        organisationId: id,
        username: `jan${nextNumber()}@example.nl`,
        roles: ['ROLE_FINANCE'],
      });
      await makeUser(service, { organisationId: id, username: `login${nextNumber()}` });
      const organisation = await read(admin, id);
      expect(organisation).toMatchObject({
        country: { id: 'NL', name: 'Netherlands' },
        resellerOrganisation: { id: resellerId, name: 'Reseller', taxNumber: expect.any(String) as string },
      });
      expect((organisation.users as unknown[])[0]).toEqual(
        userItem({
          id: user.id,
          username: user.username,
          email: user.username,
          firstName: 'Jan',
          lastName: 'de Vries',
          roles: ['ROLE_FINANCE'],
        }),
      );
      expect((organisation.users as unknown[])[1]).toMatchObject({ email: '', roles: [] });
    });

    it('has no parent to show for the operator organisation alone', async () => {
      const operator = await read(admin, 1);
      const { parentOrganisation, organisationType } = operator;
      const shown = { parentOrganisation, organisationType };
      expect(JSON.parse(JSON.stringify(shown))).toEqual(OPERATOR[variant]);
    });
  });

  describe('POST /organisations', () => {
    it('stores every field that it takes', async () => {
      const parentId = await makeOrganisation(service);
      const resellerId = await makeOrganisation(service);
      const both = {
        ...MINIMAL,
        resellerOrganisation: resellerId,
        parentOrganisation: String(parentId),
        externalId: 'EXT-1',
        street: 'Dorpsstraat',
        houseNumber: '12a',
        zip: '1234 AB',
        city: 'Utrecht',
        country: 'BE',
      };
      const onlyA = { externalInfoRequired: 2, agencyMode: 7, organisationType: 2, testAccount: 'true' };
      const { id } = await create(admin, { ...both, ...onlyA });
      const [row] = await service.sql`SELECT * FROM organisations WHERE id = ${id}`;
      expect(row).toMatchObject({
        reseller_id: resellerId,
        parent_id: parentId,
        external_id: 'EXT-1',
        street: 'Dorpsstraat',
        house_number: '12a',
        zip: '1234 AB',
        city: 'Utrecht',
        country_code: 'BE',
        external_info_required: takesAll ? 2 : 0,
        agency_mode: takesAll ? 7 : 0,
        organisation_type: takesAll ? 2 : 1,
        test_account: takesAll,
      });
    });

    it.each([
      ['XK', { id: 'XK', name: 'Kosovo' }],
      ['UK', { id: 'GB', name: 'United Kingdom' }],
      ['el', { id: 'GR', name: 'Greece' }],
      [' be ', { id: 'BE', name: 'Belgium' }],
      [' \u00a0', null],
    ])('takes the country %j as people write it', async (sent, country) => {
      const { id } = await create(admin, { ...MINIMAL, country: sent });
      const read = async () => (await admin.get(`/organisations/${id}`).expect(200)).body as unknown;
      expect(await read()).toMatchObject({ organisation: { country } });
      // Sent again on a change, blanks alone are absent.
      await admin.put(`/organisations/${id}`, { ...MINIMAL, country: sent }).expect(204);
      expect(await read()).toMatchObject({ organisation: { country } });
    });

    it('takes null as absent and an empty text as absent where it is an identifier', async () => {
      const created = await create(admin, {
        ...MINIMAL,
        resellerOrganisation: null,
        parentOrganisation: '',
        externalId: '',
        street: null,
        country: '',
        organisationType: '',
        externalInfoRequired: '',
      });
      expect(created).toEqual({ ...(await create(admin, MINIMAL)), id: created.id });
    });

    it('takes numbers for text and numeric text for integers', async () => {
      const { id } = await create(admin, {
        name: 12,
        taxNumber: 34.5,
        zip: 1234,
        houseNumber: 0,
        externalId: 99,
        parentOrganisation: 1,
        resellerOrganisation: String(other.organisationId),
        externalInfoRequired: '1',
        testAccount: 1,
      });
      const [row] = await service.sql`SELECT * FROM organisations WHERE id = ${id}`;
      expect(row).toMatchObject({
        name: '12',
        tax_number: '34.5',
        zip: '1234',
        house_number: '',
        external_id: '99',
        reseller_id: other.organisationId,
        external_info_required: takesAll ? 1 : 0,
        test_account: takesAll,
      });
    });

    it.each(
      refusals([
        [{ resellerOrganisation: 999_999 }, 'resellerOrganisation'],
        [{ parentOrganisation: '999999' }, 'parentOrganisation'],
        ...REFUSED_TYPES[variant],
      ]),
    )('refuses $shown', async ({ fields, field }) => {
      const count = () => service.sql('SELECT count(*) FROM organisations');
      const before = await count();
      const { body } = await admin.post('/organisations', { ...MINIMAL, ...fields }).expect(400);
      expect(failingFields({ body })).toEqual([field]);
      expect(await count()).toEqual(before);
    });

    it('is for managers, who become its reseller unless they name another in reach', async () => {
      const { custadmin, plain, organisationId } = await makeCustomer(service);
      await plain.client.post('/organisations', MINIMAL).expect(500);
      await anonymous(service).post('/organisations', MINIMAL).expect(401);
      const own = await create(custadmin.client, MINIMAL);
      expect(own.resellerOrganisation).toMatchObject({ id: organisationId });
      const below = await create(custadmin.client, { ...MINIMAL, resellerOrganisation: own.id });
      expect(below.resellerOrganisation).toMatchObject({ id: own.id });
      await custadmin.client.get(`/organisations/${below.id}`).expect(200);
      const { body } = await custadmin.client
        .post('/organisations', { ...MINIMAL, resellerOrganisation: other.organisationId })
        .expect(400);
      expect(failingFields({ body })).toEqual(['resellerOrganisation']);
    });
  });

  describe.each(['put', 'patch'] as const)('%s', (method) => {
    const change = (client: ApiClient, id: number, fields: object) =>
      client[method](`/organisations/${id}`, { ...MINIMAL, ...fields });

    const nullable = [
      'resellerOrganisation',
      'country',
      'resellerKickback',
      'commissionFactor',
      'source1',
      'source2',
      'remarksToPrintInvoice',
      'externalId',
      ...NULLABLE[variant],
    ];

    it('clears nullable fields with null', async () => {
      const { id } = await create(admin, {
        ...MINIMAL,
        resellerOrganisation: other.organisationId,
        country: 'NL',
      });
      const full = {
        resellerKickback: 1,
        commissionFactor: 1,
        source1: 'x',
        remarksToPrintInvoice: 'x',
        externalId: 'x',
      };
      await change(admin, id, { ...full, information: 'x', defaultAgreements: { apps: 1 } }).expect(204);
      await change(admin, id, Object.fromEntries(nullable.map((name) => [name, null]))).expect(204);
      const [row] = await service.sql`SELECT * FROM organisations WHERE id = ${id}`;
      expect(row).toMatchObject({
        reseller_id: null,
        country_code: null,
        reseller_kickback: null,
        commission_factor: null,
        source1: null,
        remarks_to_print_invoice: null,
        external_id: null,
        default_agreements: {},
        information: null,
      });
    });

    it.each(refusals([[{ pricegroup: '99' }, 'pricegroup'], ...REFUSED_TYPES[variant]]))(
      'refuses $shown',
      async ({ fields, field }) => {
        const { id } = await create(admin, MINIMAL);
        const { body } = await change(admin, id, { ...fields, city: 'New' }).expect(400);
        expect(failingFields({ body })).toEqual([field]);
        const [row] = await service.sql`SELECT city FROM organisations WHERE id = ${id}`;
        expect(row).toEqual({ city: '' });
      },
    );
  });

  if (takesAll) {
    it('takes an empty array as no agreements', async () => {
      const { id } = await create(admin, MINIMAL);
      await admin.put(`/organisations/${id}`, { ...MINIMAL, defaultAgreements: { apps: 1 } }).expect(204);
      await admin.put(`/organisations/${id}`, { ...MINIMAL, defaultAgreements: [] }).expect(204);
      expect(await read(admin, id)).toMatchObject({ defaultAgreements: {} });
    });
  }

  describe('DELETE /organisations/{organisationId}', () => {
    it('names the organisations beneath and the enabled users in the way', async () => {
      const { organisationId, custadmin } = await makeCustomer(service);
      await makeOrganisation(service, { name: 'Lies beneath', parentId: organisationId });
      const { body } = await admin.delete(`/organisations/${organisationId}`).expect(400);
      expect((body as { message: string }).message).toContain('Lies beneath');
      expect((body as { message: string }).message).toContain(custadmin.username);
    });

    it('refuses the operator organisation', async () => {
      await admin.delete('/organisations/1').expect(400);
    });

    it('makes it disappear everywhere, for good', async () => {
      const reseller = await makeCustomer(service);
      const { organisationId, plain, custadmin } = await makeCustomer(service, {
        name: 'Goes away',
        resellerId: reseller.organisationId,
      });
      await makeGrant(service, organisationId, other.organisationId);
      await service.sql`UPDATE users SET enabled = false WHERE organisation_id = ${organisationId}`;
      await reseller.custadmin.client.delete(`/organisations/${organisationId}`).expect(204, {});
      await reseller.custadmin.client.delete(`/organisations/${organisationId}`).expect(404);
      for (const client of [admin, reseller.custadmin.client, other.custadmin.client]) {
        const { body } = await client.get('/organisations?limit=0&filter=Goes%20away').expect(200);
        expect(body).toEqual({ total: 0, organisations: [] });
      }
      const beneath = await reseller.custadmin.client
        .get(`/organisations/${reseller.organisationId}/organisations?limit=0`)
        .expect(200);
      expect(beneath.body).toEqual({ subOrganisations: [] });
      for (const path of ['', '/users', `/users/${plain.id}`, '/organisations']) {
        await admin.get(`/organisations/${organisationId}${path}`).expect(404);
      }
      await custadmin.client.get('/whoami').expect(401);
      await admin.put(`/organisations/${organisationId}`, MINIMAL).expect(404);
      for (const field of ['parentOrganisation', 'resellerOrganisation']) {
        const { body } = await admin
          .post('/organisations', { ...MINIMAL, [field]: organisationId })
          .expect(400);
        expect(failingFields({ body })).toEqual([field]);
      }
      const { id } = await create(admin, MINIMAL);
      expect(id).toBeGreaterThan(organisationId);
    });
  });

  it('POST, PUT and PATCH refuse fields of admins to a manager, all of them named, and take null for absent', async () => {
    const { organisationId, custadmin } = await makeCustomer(service);
    const path = `/organisations/${organisationId}`;
    const fields = { city: 'Delft', externalId: 'EXT-1', mustPayTax: false, pricegroup: '1' };
    await service.sql`UPDATE organisations SET external_id = 'kept', city = '' WHERE id = ${organisationId}`;
    const stored = async () =>
      (await service.sql`SELECT external_id, city FROM organisations WHERE id = ${organisationId}`)[0];
    for (const method of ['put', 'patch'] as const) {
      const refused = await custadmin.client.call(method, path, { ...MINIMAL, ...fields }).expect(400);
      expect(failingFields(refused)).toEqual(['externalId', 'mustPayTax', 'pricegroup']);
      expect(JSON.stringify(refused.body)).toContain('Only an admin can set this field.');
      expect(await stored()).toEqual({ external_id: 'kept', city: '' });
    }
    await custadmin.client.patch(path, { ...MINIMAL, externalId: null, city: 'Delft' }).expect(204);
    expect(await stored()).toEqual({ external_id: 'kept', city: 'Delft' });
    const created = await custadmin.client.post('/organisations', { ...MINIMAL, ...fields }).expect(400);
    expect(failingFields(created)).toEqual(['externalId']);
    await custadmin.client.post('/organisations', { ...MINIMAL, externalId: null }).expect(201);
  });

  it('takes an empty text for a boolean or a word as nothing', async () => {
    const { organisationId, plain } = await makeCustomer(service);
    const organisation = `/organisations/${organisationId}`;
    const change = (path: string, body: object) =>
      path === organisation
        ? admin[KNOWS_FIELDS_OF_A[variant] ? 'put' : 'patch'](path, body)
        : admin.patch(path, body);
    await change(organisation, { name: 'x', taxNumber: 'y', mustPayTax: false }).expect(204);
    await change(organisation, { name: 'x', taxNumber: 'y', mustPayTax: '', pdfInvoice: '' }).expect(204);
    expect(await service.sql`SELECT must_pay_tax FROM organisations WHERE id = ${organisationId}`).toEqual([
      { must_pay_tax: false },
    ]);
    const names = { username: plain.username, firstName: 'Jan', lastName: 'Bakker' };
    await change(`${organisation}/users/${plain.id}`, { ...names, language: 'fr' }).expect(204);
    await change(`${organisation}/users/${plain.id}`, { ...names, language: '' }).expect(204);
    expect(await service.sql`SELECT language FROM users WHERE id = ${plain.id}`).toEqual([
      { language: 'fr' },
    ]);
  });

  it('takes the number 0 of a house and a zip for none, and keeps the text', async () => {
    const { body } = await admin.post('/organisations', { ...MINIMAL, houseNumber: 0, zip: 0 }).expect(201);
    const { id, houseNumber, zip } = (
      body as { organisation: { id: number; houseNumber: string; zip: string } }
    ).organisation;
    expect({ houseNumber, zip }).toEqual({ houseNumber: '', zip: '' });
    await admin.put(`/organisations/${id}`, { ...MINIMAL, houseNumber: '0', zip: 1234 }).expect(204);
    await admin.put(`/organisations/${id}`, { ...MINIMAL, houseNumber: 0, zip: 0 }).expect(204);
    expect(await read(admin, id)).toMatchObject({ houseNumber: '0', zip: '1234' });
  });

  it('takes numbers for texts as they were sent, and refuses those whose digits are lost', async () => {
    const { body } = await admin.post('/organisations', MINIMAL).expect(201);
    const path = `/organisations/${(body as { organisation: { id: number } }).organisation.id}`;
    // As bytes: in JavaScript the digits would be lost before they are sent.
    const put = (number: string) =>
      admin
        .put(path)
        .type('json')
        .send(`${JSON.stringify(MINIMAL).slice(0, -1)}, "city": ${number}, "zip": ${number}}`);
    const stored = async () => {
      const { organisation } = (await admin.get(path).expect(200)).body as { organisation: object };
      return organisation;
    };
    for (const [sent, text] of [
      ['1012', '1012'],
      ['-1.5', '-1.5'],
      ['0.1', '0.1'],
      ['1E3', '1000'],
      ['9007199254740991', '9007199254740991'],
      ['0.000000000000009', '0.000000000000009'],
    ] as const) {
      await put(sent).expect(204);
      expect(await stored()).toMatchObject({ city: text, zip: text });
    }
    for (const lost of ['9007199254740993', '-12345678901234567890', '1e21', '0.1234567890123456', '1e400']) {
      const refused = await put(lost).expect(400);
      expect(refused.body).toMatchObject({
        reasons: { city: ['WRONG_TYPE'], zip: ['WRONG_TYPE'] },
      });
    }
    expect(await stored()).toMatchObject({ city: '0.000000000000009', zip: '0.000000000000009' });
  });

  it('leaves the reseller where who is no admin sends null, and takes it off for an admin', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const customer = await makeOrganisation(service, { resellerId: organisationId });
    const put = (client: ApiClient) =>
      client.put(`/organisations/${customer}`, { ...MINIMAL, resellerOrganisation: null }).expect(204);
    await put(custadmin.client);
    expect(await read(custadmin.client, customer)).toMatchObject({
      resellerOrganisation: { id: organisationId },
    });
    await put(admin);
    expect(await read(admin, customer)).toMatchObject({ resellerOrganisation: null });
  });

  it('clears the next invoice run with null, on PUT and on PATCH, where the variant has the field', async () => {
    for (const method of ['put', 'patch'] as const) {
      const { body } = await admin.post('/organisations', MINIMAL).expect(201);
      const { id } = (body as { organisation: { id: number } }).organisation;
      const change = (nextInvoiceRun: string | null) =>
        admin.call(method, `/organisations/${id}`, { ...MINIMAL, nextInvoiceRun }).expect(204);
      const stored = async () =>
        (await service.sql`SELECT next_invoice_run AS run FROM organisations WHERE id = ${id}`)[0];
      await change('1767225600');
      const has = KNOWS_FIELDS_OF_A[variant];
      expect(await stored()).toEqual({ run: has ? new Date('2026-01-01T00:00:00Z') : null });
      await service.sql`UPDATE organisations SET next_invoice_run = '2026-01-01T00:00:00Z' WHERE id = ${id}`;
      await change(null);
      expect(await stored()).toEqual({ run: has ? null : new Date('2026-01-01T00:00:00Z') });
      if (has) expect(await read(admin, id)).toMatchObject({ nextInvoiceRun: '' });
    }
  });
});
