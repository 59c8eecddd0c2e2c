import { anonymous, asAdmin, type ApiClient } from './support/client';
import { makeCustomer, makeOrganisation, makeUser, nextNumber } from './support/factories';
import { startTestService, type TestService } from './support/service';

interface Created {
  organisation: Record<string, unknown> & { id: number };
}

/** Resources and their fields: "Organisation", written out for one created with the two required fields alone. */
const NEW_FOR_ADMIN_A = {
  id: expect.any(Number) as number,
  name: 'Bakkerij de Vries',
  taxNumber: 'NL001234567B01',
  mustPayTax: true,
  remarksToPrintInvoice: null,
  externalId: null,
  updateEntitiesOnly: false,
  preventDeactivation: true,
  parentOrganisation: '1',
  externalInfoRequired: 0,
  nextInvoiceRun: '',
  required2fa: false,
  agencyMode: 0,
  bundleProRata: false,
  testAccount: false,
  beforeFirstOrder: null,
  street: '',
  houseNumber: '',
  zip: '',
  city: '',
  country: null,
  resellerOrganisation: null,
  organisationType: { id: '1', identifier: 1, description: 'Customer' },
  paymentperiod: 30,
  source1: null,
  source2: null,
  resellerKickback: null,
  defaultResellerKickback: null,
  pdfInvoice: false,
  peppolInvoicing: false,
  discount: '',
  isSoft: false,
  prePaymentRequired: false,
  defaultAgreements: {},
  information: null,
  users: [],
  pricegroup: { id: '1', description: 'default' },
};

/** decisions.md section 4: what the reduced response leaves out. */
const ADMIN_ONLY_A = [
  'externalId',
  'paymentperiod',
  'prePaymentRequired',
  'discount',
  'resellerKickback',
  'defaultResellerKickback',
  'defaultAgreements',
  'users',
  'pricegroup',
];

const NEW_B = {
  id: expect.any(Number) as number,
  name: 'Bakkerij de Vries',
  taxNumber: 'NL001234567B01',
  mustPayTax: true,
  street: '',
  houseNumber: '',
  zip: '',
  city: '',
  country: null,
  resellerOrganisation: null,
  users: [],
  remarksToPrintInvoice: null,
  updateEntitiesOnly: false,
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

/** The names of the fields that a validation failure names. */
const failing = (body: unknown): string[] =>
  Object.keys((body as { errors?: { children: object } }).errors?.children ?? {}).sort();

describe.each(['A', 'B'] as const)('organisations in Variant %s', (variant) => {
  let service: TestService;
  let admin: ApiClient;
  /** Another customer, in the way of every test. */
  let other: Awaited<ReturnType<typeof makeCustomer>>;

  beforeAll(async () => {
    service = await startTestService(variant);
    admin = await asAdmin(service);
    other = await makeCustomer(service, { name: 'Another customer' });
  });
  afterAll(() => service.stop());

  const without = (body: object, names: readonly string[]): object =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

  describe('shapes', () => {
    it('answers every field with its default to an admin', async () => {
      const created = await create(admin, MINIMAL);
      expect(created).toEqual(variant === 'A' ? NEW_FOR_ADMIN_A : NEW_B);
      const single = variant === 'A' ? NEW_FOR_ADMIN_A : { ...NEW_B, preventDeactivation: true };
      expect(await read(admin, created.id)).toEqual({ ...single, id: created.id });
    });

    it('answers the reduced set to anybody else', async () => {
      const { custadmin, organisationId } = await makeCustomer(service, { name: 'Reseller of the shape' });
      const created = await create(custadmin.client, MINIMAL);
      const reseller = {
        id: organisationId,
        name: 'Reseller of the shape',
        taxNumber: expect.stringMatching(/^TAX-/) as string,
      };
      const reduced = variant === 'A' ? without(NEW_FOR_ADMIN_A, ADMIN_ONLY_A) : NEW_B;
      expect(created).toEqual({ ...reduced, resellerOrganisation: reseller });
      const single = variant === 'A' ? reduced : { ...reduced, preventDeactivation: true };
      const expected = { ...single, id: created.id, resellerOrganisation: reseller };
      expect(await read(custadmin.client, created.id)).toEqual(expected);
      const { body } = await custadmin.client.get('/organisations?orderType=desc&limit=1').expect(200);
      expect(body).toEqual({
        total: 2,
        organisations: [{ ...reduced, id: created.id, resellerOrganisation: reseller }],
      });
    });

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
      expect((organisation.users as unknown[])[0]).toEqual({
        id: user.id,
        username: user.username,
        email: user.username,
        firstName: 'Jan',
        lastName: 'de Vries',
        roles: ['ROLE_FINANCE'],
      });
      expect((organisation.users as unknown[])[1]).toMatchObject({ email: '', roles: [] });
    });

    it('lists items in the shape of the single read', async () => {
      const { id } = await create(admin, { ...MINIMAL, name: 'In the list' });
      const { body } = await admin.get('/organisations?filter=in%20the%20LIST').expect(200);
      const single = await read(admin, id);
      expect(body).toEqual({
        total: 1,
        organisations: [variant === 'A' ? single : without(single, ['preventDeactivation'])],
      });
    });

    it('has no parent to show for the operator organisation alone', async () => {
      const operator = await read(admin, 1);
      if (variant === 'B') return expect(operator).not.toHaveProperty('parentOrganisation');
      expect(operator).toMatchObject({
        parentOrganisation: '',
        organisationType: { id: '3', identifier: 3, description: 'Operator' },
      });
    });
  });

  describe('creation', () => {
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
      const [row] = await service.sql('SELECT * FROM organisations WHERE id = $1', [id]);
      expect(row).toMatchObject({
        reseller_id: resellerId,
        parent_id: parentId,
        external_id: 'EXT-1',
        street: 'Dorpsstraat',
        house_number: '12a',
        zip: '1234 AB',
        city: 'Utrecht',
        country_code: 'BE',
        // Fields of Variant A are unknown in B, and so ignored.
        external_info_required: variant === 'A' ? 2 : 0,
        agency_mode: variant === 'A' ? 7 : 0,
        organisation_type: variant === 'A' ? 2 : 1,
        test_account: variant === 'A',
      });
    });

    it.each([{}, { name: '', taxNumber: ' ' }, { name: null, taxNumber: null }])(
      'asks for the required fields: %j',
      async (body) => {
        const { body: answer } = await admin.post('/organisations', body).expect(400);
        expect(failing(answer)).toEqual(['name', 'taxNumber']);
      },
    );

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
      expect(created).toEqual(variant === 'A' ? NEW_FOR_ADMIN_A : NEW_B);
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
      const [row] = await service.sql('SELECT * FROM organisations WHERE id = $1', [id]);
      expect(row).toMatchObject({
        name: '12',
        tax_number: '34.5',
        zip: '1234',
        house_number: '0',
        external_id: '99',
        reseller_id: other.organisationId,
        external_info_required: variant === 'A' ? 1 : 0,
        test_account: variant === 'A',
      });
    });

    it.each(
      refusals([
        [{ resellerOrganisation: 999_999 }, 'resellerOrganisation'],
        [{ parentOrganisation: '999999' }, 'parentOrganisation'],
        [{ resellerOrganisation: 'x' }, 'resellerOrganisation'],
        [{ resellerOrganisation: 0 }, 'resellerOrganisation'],
        [{ parentOrganisation: 3_000_000_000 }, 'parentOrganisation'],
        [{ country: 'XX' }, 'country'],
        [{ country: 'NLD' }, 'country'],
        [{ street: { a: 1 } }, 'street'],
        [{ zip: ['1'] }, 'zip'],
        [{ city: true }, 'city'],
        [{ name: 'x'.repeat(256) }, 'name'],
        [{ taxNumber: 'x'.repeat(65) }, 'taxNumber'],
        [{ houseNumber: 'x'.repeat(33) }, 'houseNumber'],
        [{ name: 'a\0b' }, 'name'],
        [{ city: '\ud800' }, 'city'],
      ]),
    )('refuses $shown', async ({ fields, field }) => {
      const count = () => service.sql('SELECT count(*) FROM organisations');
      const before = await count();
      const { body } = await admin.post('/organisations', { ...MINIMAL, ...fields }).expect(400);
      expect(failing(body)).toEqual([field]);
      expect(await count()).toEqual(before);
    });

    if (variant === 'A') {
      it.each(
        refusals([
          [{ externalInfoRequired: 3 }, 'externalInfoRequired'],
          [{ organisationType: 99 }, 'organisationType'],
          [{ agencyMode: 1.5 }, 'agencyMode'],
          [{ testAccount: 'perhaps' }, 'testAccount'],
        ]),
      )('refuses $shown', async ({ fields, field }) => {
        const { body } = await admin.post('/organisations', { ...MINIMAL, ...fields }).expect(400);
        expect(failing(body)).toEqual([field]);
      });
    }

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
      expect(failing(body)).toEqual(['resellerOrganisation']);
    });

    it('refuses the fields of admins from anybody else, all of them by name', async () => {
      const { custadmin } = await makeCustomer(service);
      const foreign = {
        parentOrganisation: '1',
        externalId: 'x',
        ...(variant === 'A' && { agencyMode: 1 }),
      };
      const { body } = await custadmin.client.post('/organisations', { ...MINIMAL, ...foreign }).expect(400);
      expect(failing(body)).toEqual(Object.keys(foreign).sort());
      await create(custadmin.client, {
        ...MINIMAL,
        parentOrganisation: null,
        externalId: null,
        agencyMode: null,
      });
    });
  });

  describe.each(['put', 'patch'] as const)('%s', (method) => {
    const change = (client: ApiClient, id: number, fields: object) =>
      client[method](`/organisations/${id}`, { ...MINIMAL, ...fields });

    const SAME_IN_BOTH = {
      street: ['Dorpsstraat', 'street'],
      houseNumber: ['12a', 'house_number'],
      zip: ['1234 AB', 'zip'],
      city: ['Utrecht', 'city'],
      country: ['DE', 'country_code'],
      resellerKickback: [150, 'reseller_kickback'],
      paymentperiod: [60, 'payment_period'],
      commissionFactor: [3, 'commission_factor'],
      documentInterval: ['monthly', 'document_interval'],
      source1: ['one', 'source1'],
      source2: ['two', 'source2'],
      mustPayTax: [false, 'must_pay_tax'],
      remarksToPrintInvoice: ['Thank you', 'remarks_to_print_invoice'],
      updateEntitiesOnly: [true, 'update_entities_only'],
      preventDeactivation: [false, 'prevent_deactivation'],
      externalId: ['E-1', 'external_id'],
    } as const;
    const ONLY_A = {
      defaultResellerKickback: [250, 'default_reseller_kickback'],
      externalInfoRequired: [1, 'external_info_required'],
      organisationType: [2, 'organisation_type'],
      required2fa: [true, 'required_2fa'],
      agencyMode: [4, 'agency_mode'],
      bundleProRata: [true, 'bundle_pro_rata'],
      information: ['Calls back', 'information'],
    } as const;

    it('stores every field that it takes, and keeps what it is not sent', async () => {
      const { id } = await create(admin, MINIMAL);
      const table: Record<string, readonly [unknown, string]> = { ...SAME_IN_BOTH, ...ONLY_A };
      const body = Object.fromEntries(Object.entries(table).map(([field, [value]]) => [field, value]));
      await change(admin, id, {
        ...body,
        pdfInvoice: 'true',
        testAccount: '1',
        pricegroup: '1',
        nextInvoiceRun: '1767225600',
        defaultAgreements: { apps: 7, domains: '8' },
        invoiceDay: { min: 3, max: '' },
      }).expect(204, {});
      const rowOf = async () => (await service.sql('SELECT * FROM organisations WHERE id = $1', [id]))[0];
      const expected = {
        ...Object.fromEntries(
          Object.values(variant === 'A' ? table : SAME_IN_BOTH).map(([value, column]) => [column, value]),
        ),
        pdf_invoice: true,
        ...(variant === 'A'
          ? {
              test_account: true,
              next_invoice_run: new Date('2026-01-01T00:00:00Z'),
              default_agreements: { apps: 7, domains: 8 },
              invoice_day_min: 1,
            }
          : {
              test_account: false,
              next_invoice_run: null,
              required_2fa: false,
              information: null,
              invoice_day_min: 3,
              invoice_day_max: 28,
            }),
      };
      expect(await rowOf()).toMatchObject(expected);
      await admin[method](`/organisations/${id}`, { name: 'Three', taxNumber: 'T', city: 'Fields' }).expect(
        204,
      );
      expect(await rowOf()).toMatchObject({ ...expected, name: 'Three', tax_number: 'T', city: 'Fields' });
    });

    it('answers what was stored', async () => {
      const { id } = await create(admin, MINIMAL);
      await change(admin, id, {
        pdfInvoice: '1',
        nextInvoiceRun: 1_767_225_600,
        defaultAgreements: { apps: 7 },
        country: 'FR',
        remarksToPrintInvoice: 'R',
        updateEntitiesOnly: '1',
        testAccount: 'TRUE',
      }).expect(204);
      expect(await read(admin, id)).toEqual(
        variant === 'A'
          ? {
              ...NEW_FOR_ADMIN_A,
              id,
              pdfInvoice: true,
              nextInvoiceRun: '1767225600',
              defaultAgreements: { apps: 7 },
              country: { id: 'FR', name: 'France' },
              remarksToPrintInvoice: 'R',
              updateEntitiesOnly: true,
              testAccount: true,
            }
          : {
              ...NEW_B,
              id,
              preventDeactivation: true,
              country: { id: 'FR', name: 'France' },
              remarksToPrintInvoice: 'R',
              updateEntitiesOnly: true,
            },
      );
    });

    const NULLABLE = [
      'resellerOrganisation',
      'country',
      'resellerKickback',
      'commissionFactor',
      'source1',
      'source2',
      'remarksToPrintInvoice',
      'externalId',
      ...(variant === 'A' ? ['defaultResellerKickback', 'defaultAgreements', 'information'] : []),
    ];
    const NOT_NULLABLE = [
      'street',
      'houseNumber',
      'zip',
      'city',
      'paymentperiod',
      'documentInterval',
      'mustPayTax',
      'pricegroup',
      'updateEntitiesOnly',
      'preventDeactivation',
      'parentOrganisation',
      'pdfInvoice',
      ...(variant === 'A'
        ? [
            'externalInfoRequired',
            'organisationType',
            'required2fa',
            'agencyMode',
            'bundleProRata',
            'testAccount',
          ]
        : ['invoiceDay']),
    ];

    it('clears nullable fields with null, and refuses null for the others', async () => {
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
      await change(admin, id, Object.fromEntries(NULLABLE.map((name) => [name, null]))).expect(204);
      const [row] = await service.sql('SELECT * FROM organisations WHERE id = $1', [id]);
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
      const nulls = Object.fromEntries(NOT_NULLABLE.map((name) => [name, null]));
      const { body } = await change(admin, id, nulls).expect(400);
      expect(failing(body)).toEqual([...NOT_NULLABLE].sort());
    });

    it('asks for name and taxNumber', async () => {
      const { id } = await create(admin, MINIMAL);
      const { body } = await admin[method](`/organisations/${id}`, { city: 'x' }).expect(400);
      expect(failing(body)).toEqual(['name', 'taxNumber']);
    });

    it('refuses the fields of admins from a manager, names them all and changes nothing', async () => {
      const { custadmin, organisationId } = await makeCustomer(service);
      const foreign = {
        resellerKickback: 1,
        paymentperiod: 0,
        commissionFactor: 1,
        documentInterval: '1',
        source1: 'x',
        source2: 'x',
        mustPayTax: false,
        pricegroup: '1',
        updateEntitiesOnly: true,
        preventDeactivation: false,
        parentOrganisation: '1',
        externalId: 'x',
        pdfInvoice: 'true',
        ...(variant === 'A' && { defaultResellerKickback: 1, agencyMode: 1 }),
      };
      const rowOf = () => service.sql('SELECT * FROM organisations WHERE id = $1', [organisationId]);
      const before = await rowOf();
      const { body } = await change(custadmin.client, organisationId, { ...foreign, city: 'New' }).expect(
        400,
      );
      expect(failing(body)).toEqual(Object.keys(foreign).sort());
      expect(await rowOf()).toEqual(before);
    });

    it('takes null in an admin field from a manager as absent: it clears nothing', async () => {
      const { custadmin, organisationId } = await makeCustomer(service);
      await service.sql(`UPDATE organisations SET external_id = 'kept', source1 = 'kept' WHERE id = $1`, [
        organisationId,
      ]);
      await change(custadmin.client, organisationId, { externalId: null, source1: null, city: 'New' }).expect(
        204,
      );
      const [row] = await service.sql('SELECT external_id, source1, city FROM organisations WHERE id = $1', [
        organisationId,
      ]);
      expect(row).toEqual({ external_id: 'kept', source1: 'kept', city: 'New' });
    });

    it('lets the reseller set updateEntitiesOnly, but not one further up', async () => {
      const top = await makeCustomer(service);
      const reseller = await makeCustomer(service, { resellerId: top.organisationId });
      const customer = await makeCustomer(service, { resellerId: reseller.organisationId });
      const fields = { updateEntitiesOnly: true };
      await change(reseller.custadmin.client, customer.organisationId, fields).expect(204);
      for (const { custadmin } of [top, customer]) {
        const { body } = await change(custadmin.client, customer.organisationId, fields).expect(400);
        expect(failing(body)).toEqual(['updateEntitiesOnly']);
      }
    });

    it.each(
      refusals([
        [{ paymentperiod: 45 }, 'paymentperiod'],
        [{ paymentperiod: '30x' }, 'paymentperiod'],
        [{ mustPayTax: 'yes' }, 'mustPayTax'],
        [{ pricegroup: '99' }, 'pricegroup'],
        [{ pdfInvoice: 2 }, 'pdfInvoice'],
        [{ resellerKickback: 2_147_483_648 }, 'resellerKickback'],
        [{ documentInterval: 'x'.repeat(65) }, 'documentInterval'],
        [{ remarksToPrintInvoice: 'x'.repeat(4001) }, 'remarksToPrintInvoice'],
        ...(variant === 'A'
          ? ([
              [{ nextInvoiceRun: 'tomorrow' }, 'nextInvoiceRun'],
              [{ nextInvoiceRun: -1 }, 'nextInvoiceRun'],
              [{ defaultAgreements: [1] }, 'defaultAgreements'],
              [{ defaultAgreements: { apps: 'x' } }, 'defaultAgreements'],
              [{ defaultAgreements: 'x' }, 'defaultAgreements'],
              [{ defaultAgreements: '' }, 'defaultAgreements'],
              [{ organisationType: 4 }, 'organisationType'],
            ] as const)
          : ([
              [{ invoiceDay: { min: 0 } }, 'invoiceDay'],
              [{ invoiceDay: { max: 29 } }, 'invoiceDay'],
              [{ invoiceDay: { min: 20, max: 10 } }, 'invoiceDay'],
              [{ invoiceDay: [1, 2] }, 'invoiceDay'],
              [{ invoiceDay: 5 }, 'invoiceDay'],
            ] as const)),
      ]),
    )('refuses $shown', async ({ fields, field }) => {
      const { id } = await create(admin, MINIMAL);
      const { body } = await change(admin, id, { ...fields, city: 'New' }).expect(400);
      expect(failing(body)).toEqual([field]);
      const [row] = await service.sql('SELECT city FROM organisations WHERE id = $1', [id]);
      expect(row).toEqual({ city: '' });
    });

    it('is refused to those who only read', async () => {
      const { plain, organisationId } = await makeCustomer(service);
      await change(plain.client, organisationId, {}).expect(500);
      await change(other.custadmin.client, organisationId, {}).expect(403);
      await service.sql('INSERT INTO acls (organisation_id, grantee_id) VALUES ($1, $2)', [
        organisationId,
        other.organisationId,
      ]);
      await other.custadmin.client.get(`/organisations/${organisationId}`).expect(200);
      await change(other.custadmin.client, organisationId, {}).expect(403);
    });
  });

  if (variant === 'A') {
    it('takes an empty array as no agreements', async () => {
      const { id } = await create(admin, MINIMAL);
      await admin.put(`/organisations/${id}`, { ...MINIMAL, defaultAgreements: { apps: 1 } }).expect(204);
      await admin.put(`/organisations/${id}`, { ...MINIMAL, defaultAgreements: [] }).expect(204);
      expect(await read(admin, id)).toMatchObject({ defaultAgreements: {} });
    });
  }

  describe('deletion', () => {
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
      await service.sql('INSERT INTO acls (organisation_id, grantee_id) VALUES ($1, $2)', [
        organisationId,
        other.organisationId,
      ]);
      await service.sql('UPDATE users SET enabled = false WHERE organisation_id = $1', [organisationId]);
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
        expect(failing(body)).toEqual([field]);
      }
      const { id } = await create(admin, MINIMAL);
      expect(id).toBeGreaterThan(organisationId);
    });

    it('is for managers above: not for its own, not for strangers', async () => {
      const { organisationId, custadmin, plain } = await makeCustomer(service);
      await custadmin.client.delete(`/organisations/${organisationId}`).expect(500);
      await plain.client.delete(`/organisations/${organisationId}`).expect(500);
      await other.custadmin.client.delete(`/organisations/${organisationId}`).expect(403);
    });
  });
});
