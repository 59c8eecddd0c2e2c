import { type PerVariant, VARIANTS } from '../../../qa/variants';
import {
  type MadeUser,
  makeCustomer,
  makeGrant,
  makeOrganisation,
  makeUser,
} from '../../support/factories/factories';
import { Wire } from '../../support/generators/access-calls';
import { Interface } from '../../support/generators/interface';
import { useService } from '../../support/service/service';

/** A field of a request, a value for it, and the columns that it changes. */
interface FieldCase {
  readonly field: string;
  readonly value: unknown;
  readonly columns: readonly string[];
}

const field = (name: string, value: unknown, ...columns: string[]): FieldCase => ({
  field: name,
  value,
  columns,
});

/** Update body of account-api.md: what any manager may set. */
const ANYBODY_IN_BOTH: readonly FieldCase[] = [
  field('street', 'Dorpsstraat', 'street'),
  field('houseNumber', '12a', 'house_number'),
  field('zip', '1234 AB', 'zip'),
  field('city', 'Utrecht', 'city'),
  field('country', 'BE', 'country_code'),
  field('remarksToPrintInvoice', 'remark', 'remarks_to_print_invoice'),
];
const ANYBODY: PerVariant<readonly FieldCase[]> = {
  A: [
    field('externalInfoRequired', 2, 'external_info_required'),
    field('organisationType', 2, 'organisation_type', 'is_reseller'),
    field('nextInvoiceRun', '1767225600', 'next_invoice_run'),
    field('defaultAgreements', { App: 4 }, 'default_agreements'),
    field('required2fa', true, 'required_2fa'),
    field('bundleProRata', true, 'bundle_pro_rata'),
    field('information', 'text', 'information'),
    field('testAccount', 'true', 'test_account'),
  ],
  B: [field('invoiceDay', { min: 3, max: 9 }, 'invoice_day_min', 'invoice_day_max')],
};

/** "admin only". */
const ADMINS_IN_BOTH: readonly FieldCase[] = [
  field('resellerKickback', 150, 'reseller_kickback'),
  field('paymentperiod', 60, 'payment_period'),
  field('commissionFactor', 3, 'commission_factor'),
  field('documentInterval', '2', 'document_interval'),
  field('source1', 's1', 'source1'),
  field('source2', 's2', 'source2'),
  field('mustPayTax', false, 'must_pay_tax'),
  field('pricegroup', '2', 'price_group_id'),
  field('preventDeactivation', false, 'prevent_deactivation'),
  field('externalId', 'EXT-1', 'external_id'),
  field('pdfInvoice', 'true', 'pdf_invoice'),
  field('parentOrganisation', 'PARENT', 'parent_id', 'customer_id'),
];
const ADMINS: PerVariant<readonly FieldCase[]> = {
  A: [
    field('defaultResellerKickback', 150, 'default_reseller_kickback'),
    field('agencyMode', 1, 'agency_mode'),
  ],
  B: [],
};

/** "admin and reseller only". */
const RESELLERS = [field('updateEntitiesOnly', true, 'update_entities_only')];

/** What no request sets, in the spellings of the wire and of the database. */
const NOBODY: FieldCase[] = [
  ['id', 1],
  ['status', 'deactivated'],
  ['statusCategory', 'grey'],
  ['roles', ['ROLE_ADMIN']],
  ['users', []],
  ['isSoft', true],
  ['is_soft', true],
  ['beneath_count', 7],
  ['beneathCount', 7],
  ['invitationCount', 7],
  ['beforeFirstOrder', 'x'],
  ['peppolInvoicing', true],
  ['discount', '100'],
  ['prePaymentRequired', true],
  ['deletedAt', '2020-01-01'],
  ['deleted_at', '2020-01-01'],
  ['createdAt', '2020-01-01'],
  ['parentId', 1],
  ['parent_id', 1],
  ['resellerId', null],
  ['reseller_id', null],
  ['priceGroupId', 2],
  ['__proto__', { id: 1 }],
].map(([name, value]) => field(name as string, value));

/** A type Reseller bounds a customer only where an admin gave it (rule organisations 23). */
const columnsOf = ({ columns }: FieldCase, isAdmin: boolean | undefined): string[] =>
  columns.filter((column) => isAdmin === true || column !== 'is_reseller').sort();

/** Columns in which an organisation differs from another one, whatever was sent. */
const OF_THE_NEW_ONE: ReadonlySet<string> = new Set(['id', 'created_at', 'customer_id']);

/** Columns that the two required fields set. */
const REQUIRED = { name: 'Unchanged', taxNumber: 'T' };

describe.each(VARIANTS)('the fields of organisations and users, Variant %s,', (variant) => {
  afterAll(() => wire.close());
  const service = useService(variant);
  let wire: Wire;
  beforeAll(() => {
    wire = new Wire(service.url);
  });
  let target: number;
  let elsewhere: number;
  /** May change it; whether as an admin, and whether as its reseller. */
  let callers: { name: string; user: MadeUser; manages: boolean; isAdmin?: boolean; isReseller?: boolean }[];

  beforeAll(async () => {
    await service.sql(`INSERT INTO price_groups (id, description) VALUES (2, 'second')`);
    const parent = await makeCustomer(service);
    const reseller = await makeCustomer(service);
    const aboveReseller = await makeCustomer(service);
    await service.sql`UPDATE organisations SET reseller_id = ${aboveReseller.organisationId}
       WHERE id = ${reseller.organisationId}`;
    elsewhere = await makeOrganisation(service);
    const own = await makeCustomer(service, {
      parentId: parent.organisationId,
      resellerId: reseller.organisationId,
    });
    target = own.organisationId;
    // With a second factor, so that `required2fa` leaves them their logins.
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'encrypted'
       WHERE organisation_id = ${target}`;
    const grantee = await makeCustomer(service);
    await makeGrant(service, target, grantee.organisationId);
    const operator = (roles: string[]) => makeUser(service, { organisationId: 1, roles });
    callers = [
      { name: 'admin', user: await operator(['ROLE_ADMIN']), manages: true, isAdmin: true },
      { name: 'operator CUSTADMIN', user: await operator(['ROLE_CUSTADMIN']), manages: true },
      { name: 'own CUSTADMIN', user: own.custadmin, manages: true },
      { name: 'CUSTADMIN of the parent', user: parent.custadmin, manages: true },
      { name: 'CUSTADMIN of the reseller', user: reseller.custadmin, manages: true, isReseller: true },
      { name: 'CUSTADMIN above the reseller', user: aboveReseller.custadmin, manages: true },
      { name: 'plain user', user: own.plain, manages: false },
      { name: 'plain user of the reseller', user: reseller.plain, manages: false },
      { name: 'CUSTADMIN of a grantee', user: grantee.custadmin, manages: false },
    ];
  });

  const rowOf = async (table: 'organisations' | 'users', id: number): Promise<Record<string, unknown>> => {
    const [found] = await service.sql<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) - '{version,billing_version}'::text[] AS row FROM ${table} t WHERE id = $1`,
      [id],
    );
    return found?.row ?? {};
  };
  const changedColumns = (before: Record<string, unknown>, after: Record<string, unknown>): string[] =>
    Object.keys(after)
      .filter((column) => JSON.stringify(before[column]) !== JSON.stringify(after[column]))
      .sort();
  const bodyOf = ({ field: name, value }: FieldCase): object =>
    // Parsed, since in a literal `__proto__` would be the prototype.
    JSON.parse(
      JSON.stringify({ ...REQUIRED, '~': value === 'PARENT' ? String(elsewhere) : value }).replace(
        '"~"',
        `"${name}"`,
      ),
    ) as object;
  const ofOtherVariants = (table: PerVariant<readonly FieldCase[]>): readonly FieldCase[] =>
    Object.entries(table).flatMap(([name, fields]) => (name === variant ? [] : fields));

  const cases = (): { kind: 'anybody' | 'admins' | 'resellers' | 'nobody'; tried: FieldCase }[] => [
    ...[...ANYBODY_IN_BOTH, ...ANYBODY[variant]].map((tried) => ({ kind: 'anybody' as const, tried })),
    ...[...ADMINS_IN_BOTH, ...ADMINS[variant]].map((tried) => ({ kind: 'admins' as const, tried })),
    ...RESELLERS.map((tried) => ({ kind: 'resellers' as const, tried })),
    // "A field of Variant A sent to Variant B is an unknown field."
    ...[...NOBODY, ...ofOtherVariants(ANYBODY), ...ofOtherVariants(ADMINS)].map((tried) => ({
      kind: 'nobody' as const,
      tried: { ...tried, columns: [] },
    })),
  ];

  it('are those of PUT /organisations/{organisationId} in the description', async () => {
    const { routes } = await Interface.of(service);
    const update = routes.find(({ operation }) => operation === 'organisations.update');
    const described = Object.entries(update?.fields ?? {}).filter(([name]) => !(name in REQUIRED));
    const namesWith = (words: RegExp): string[] =>
      described.flatMap(([name, { description = '' }]) => (words.test(description) ? [name] : [])).sort();
    const names = (...tried: readonly FieldCase[]): string[] => tried.map(({ field: name }) => name).sort();
    expect(namesWith(/^Admin only/)).toEqual(names(...ADMINS_IN_BOTH, ...ADMINS[variant]));
    expect(namesWith(/^Admin and reseller only/)).toEqual(names(...RESELLERS));
    expect(namesWith(/^(?!Admin)/)).toEqual(
      ['resellerOrganisation', ...names(...ANYBODY_IN_BOTH, ...ANYBODY[variant])].sort(),
    );
  });

  it.each(['PUT', 'PATCH'])(
    'change by %s /organisations/{organisationId} for who may set them, and for nobody else',
    async (method) => {
      await service.sql`UPDATE organisations SET name = 'Unchanged', tax_number = 'T' WHERE id = ${target}`;
      const mismatches: string[] = [];
      for (const { kind, tried } of cases()) {
        for (const { name, user, manages, isAdmin, isReseller } of callers) {
          const before = await rowOf('organisations', target);
          const { status } = await wire.send({
            method,
            path: `/v1/organisations/${target}`,
            hash: user.client.hash,
            body: bodyOf(tried),
          });
          const changed = changedColumns(before, await rowOf('organisations', target));
          const may = kind === 'anybody' || isAdmin === true || (kind === 'resellers' && isReseller === true);
          const expected = !manages
            ? { statuses: [403, 500], changed: [] }
            : kind === 'nobody'
              ? { statuses: [204], changed: [] }
              : may
                ? { statuses: [204], changed: columnsOf(tried, isAdmin) }
                : { statuses: [400], changed: [] };
          if (!expected.statuses.includes(status) || changed.join() !== expected.changed.join()) {
            mismatches.push(`${name} sent ${tried.field}: ${status}, changed [${changed.join()}]`);
          }
          if (changed.length > 0) await restore(before, changed);
        }
      }
      expect(mismatches).toEqual([]);
    },
  );

  /** The row as it was, so that the next caller finds what to change. */
  const restore = (before: Record<string, unknown>, columns: readonly string[]) =>
    service.sql(
      `UPDATE organisations o SET ${columns.map((column) => `${column} = was.${column}`).join(', ')}
       FROM jsonb_populate_record(NULL::organisations, $2) was WHERE o.id = $1`,
      [before['id'], JSON.stringify(before)],
    );

  it('are set by POST /organisations for who may set them, and for nobody else', async () => {
    const created = async (user: MadeUser, body: object) => {
      const response = await wire.send({
        method: 'POST',
        path: '/v1/organisations',
        hash: user.client.hash,
        body,
      });
      const id = (JSON.parse(response.text) as { organisation?: { id: number } }).organisation?.id;
      return {
        status: response.status,
        row: id === undefined ? undefined : await rowOf('organisations', id),
      };
    };
    const IN_CREATION = {
      A: ['externalInfoRequired', 'agencyMode', 'organisationType', 'testAccount'],
      B: [],
    }[variant];
    const always = ['street', 'houseNumber', 'zip', 'city', 'country', 'parentOrganisation', 'externalId'];
    const mismatches: string[] = [];
    for (const { name, user, isAdmin } of callers.slice(0, 3)) {
      const plain = (await created(user, REQUIRED)).row ?? {};
      for (const { kind, tried } of cases()) {
        const isTaken = [...always, ...IN_CREATION].includes(tried.field);
        const { status, row } = await created(user, bodyOf(tried));
        const changed = changedColumns(plain, row ?? plain).filter((column) => !OF_THE_NEW_ONE.has(column));
        const expected = !isTaken
          ? { status: 201, changed: [] }
          : kind === 'admins' && isAdmin !== true
            ? { status: 400, changed: [] }
            : {
                status: 201,
                changed: columnsOf(tried, isAdmin).filter((column) => !OF_THE_NEW_ONE.has(column)),
              };
        if (status !== expected.status || changed.join() !== expected.changed.join()) {
          mismatches.push(`${name} sent ${tried.field}: ${status}, set [${changed.join()}]`);
        }
      }
    }
    expect(mismatches).toEqual([]);
  });

  it('of a user change by PATCH …/users where it takes them, and no others', async () => {
    const own = callers.find(({ name }) => name === 'plain user')?.user as MadeUser;
    const custadmin = callers.find(({ name }) => name === 'own CUSTADMIN')?.user as MadeUser;
    const admin = callers.find(({ name }) => name === 'admin')?.user as MadeUser;
    const before = await rowOf('users', own.id);
    const same = { username: own.username, firstName: before['first_name'], lastName: before['last_name'] };
    const forged = {
      id: 1,
      status: 'deactivated',
      statusCategory: 'grey',
      enabled: false,
      email: 'x@example.com',
      roles: ['ROLE_ADMIN'],
      organisation: { id: 1 },
      organisationId: 1,
      organisation_id: 1,
      password: 'Passw0rd-9',
      passwordHash: 'x',
      password_hash: 'x',
      cp3Password: '$1$a$b',
      status2fa: 'enabled',
      secondFactor: 'enabled',
      second_factor: 'enabled',
      totpSecret: 'x',
      deletedAt: '2020-01-01',
      deleted_at: '2020-01-01',
      teams: [],
      country: 'BE',
      fullname: 'x',
    };
    for (const user of [own, custadmin, admin]) {
      for (const [name, value] of Object.entries(forged)) {
        const { status } = await wire.send({
          method: 'PATCH',
          path: `/v1/organisations/${target}/users/${own.id}`,
          hash: user.client.hash,
          body: { ...same, [name]: value },
        });
        expect({ name, status, changed: changedColumns(before, await rowOf('users', own.id)) }).toEqual({
          name,
          status: 204,
          changed: [],
        });
      }
    }
    for (const [user, roles, status] of [
      [own, 'ROLE_CUSTADMIN', 500],
      [custadmin, 'ROLE_ADMIN', 400],
      [admin, 'ROLE_ADMIN', 400],
      [custadmin, 'ROLE_FINANCE,ROLE_ROOT', 400],
    ] as const) {
      const response = await wire.send({
        method: 'PATCH',
        path: `/v1/organisations/${target}/users/${own.id}`,
        hash: user.client.hash,
        body: { ...same, firstName: 'Changed', defaultRoles: roles },
      });
      expect({ roles, status: response.status }).toEqual({ roles, status });
      expect(changedColumns(before, await rowOf('users', own.id))).toEqual([]);
    }
  });
});
