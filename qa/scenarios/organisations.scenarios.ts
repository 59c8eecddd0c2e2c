import {
  invalid,
  organisationItem,
  organisationRecord,
  reducedOrganisation,
  refused,
  roleRequired,
  subOrganisation,
  userItem,
} from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const NAME = 'Bakkerij {unique}';

const MADE = { id: '<id> as made' } as const;

const ADDRESS = {
  street: 'Kerkstraat',
  houseNumber: '12a',
  zip: '1234 AB',
  city: 'Utrecht',
  country: { id: 'NL', name: 'Netherlands' },
} as const;
const RESELLER = { id: '{organisation}', name: '{organisationName}', taxNumber: '{taxNumber}' } as const;

const CHANGED = {
  ...ADDRESS,
  resellerOrganisation: RESELLER,
  mustPayTax: false,
  remarksToPrintInvoice: 'Order 7',
  updateEntitiesOnly: true,
  preventDeactivation: false,
} as const;

const CHANGED_IN_A = {
  ...CHANGED,
  externalInfoRequired: 2,
  externalId: 'EXT-7',
  nextInvoiceRun: '1893456000',
  required2fa: true,
  agencyMode: 1,
  bundleProRata: true,
  testAccount: true,
  paymentperiod: 60,
  source1: 'web',
  source2: 'fair',
  resellerKickback: 250,
  defaultResellerKickback: 500,
  pdfInvoice: true,
  defaultAgreements: { App: 3 },
  information: 'Calls on Mondays',
} as const;

const CHANGE_OF_BOTH = {
  name: NAME,
  taxNumber: 'NL-{unique}',
  resellerOrganisation: '{organisation}',
  street: 'Kerkstraat',
  houseNumber: '12a',
  zip: '1234 AB',
  city: 'Utrecht',
  country: 'NL',
  resellerKickback: 250,
  paymentperiod: 60,
  commissionFactor: 10,
  documentInterval: '0',
  source1: 'web',
  source2: 'fair',
  mustPayTax: false,
  remarksToPrintInvoice: 'Order 7',
  updateEntitiesOnly: true,
  preventDeactivation: false,
  externalId: 'EXT-7',
  pdfInvoice: 'true',
} as const;

/** Addresses the customer that the scenario made. */
const made = { organisationId: '{made}' } as const;

/** Organisations and the tree that they stand in. */
export const ORGANISATION_SCENARIOS: readonly Scenario[] = [
  scenario('organisations', 'an admin keeps a customer', {}, [
    example(
      'needs name and tax number',
      ['admin', 'POST /organisations', { name: '', city: 'Utrecht' }],
      [400, invalid({ name: ['REQUIRED'], taxNumber: ['REQUIRED'] })],
    ),
    example(
      'creates a customer with the described defaults',
      ['admin', 'POST /organisations', { name: NAME, taxNumber: 'NL-{unique}' }],
      [201],
      {
        responses: {
          A: { organisation: organisationItem.A(MADE) },
          B: { organisation: organisationItem.B(MADE) },
        },
      },
    ),
    example('reads it', ['admin', 'GET /organisations/{organisationId}'], [200], {
      with: made,
      responses: {
        A: { organisation: organisationRecord.A() },
        B: { organisation: organisationRecord.B() },
      },
    }),
    example(
      'changes everything that can be changed',
      [
        'admin',
        'PUT /organisations/{organisationId}',
        {
          ...CHANGE_OF_BOTH,
          defaultResellerKickback: 500,
          externalInfoRequired: 2,
          organisationType: 1,
          nextInvoiceRun: '1893456000',
          defaultAgreements: { App: 3 },
          required2fa: true,
          agencyMode: 1,
          bundleProRata: true,
          information: 'Calls on Mondays',
          testAccount: '1',
        },
      ],
      [204],
      { only: 'A', with: made },
    ),
    example(
      'changes everything that can be changed',
      [
        'admin',
        'PUT /organisations/{organisationId}',
        { ...CHANGE_OF_BOTH, invoiceDay: { min: 2, max: 20 } },
      ],
      [204],
      { only: 'B', with: made },
    ),
    example('shows every change', ['admin', 'GET /organisations/{organisationId}'], [200], {
      with: made,
      responses: {
        A: { organisation: organisationRecord.A(CHANGED_IN_A) },
        B: { organisation: organisationRecord.B(CHANGED) },
      },
    }),
    example(
      'keeps what a change leaves out, and clears what it sets to null',
      [
        'admin',
        'PATCH /organisations/{organisationId}',
        { name: NAME, taxNumber: 'NL-{unique}', remarksToPrintInvoice: null },
      ],
      [204],
      { with: made },
    ),
    example('finds it among all', ['admin', 'GET /organisations'], [200], {
      query: 'filter={unique}&limit=0',
      responses: {
        A: {
          total: 1,
          organisations: [organisationItem.A({ ...CHANGED_IN_A, remarksToPrintInvoice: null })],
        },
        B: {
          total: 1,
          organisations: [
            organisationItem.B({
              ...ADDRESS,
              resellerOrganisation: RESELLER,
              mustPayTax: false,
              updateEntitiesOnly: true,
            }),
          ],
        },
      },
    }),
    example(
      'lists it beneath its reseller',
      ['admin', 'GET /organisations/{organisationId}/organisations'],
      [200],
      {
        responses: {
          A: { subOrganisations: [subOrganisation.A(ADDRESS)] },
          B: { subOrganisations: [subOrganisation.B(ADDRESS)] },
        },
      },
    ),
    example(
      'refuses what does not exist',
      [
        'admin',
        'PUT /organisations/{organisationId}',
        { name: NAME, taxNumber: 'NL-{unique}', country: 'XX', paymentperiod: 45 },
      ],
      [400, invalid({ country: ['DOES_NOT_EXIST'], paymentperiod: ['NOT_A_CHOICE'] })],
      { with: made },
    ),
    example('deletes it', ['admin', 'DELETE /organisations/{organisationId}'], [204], { with: made }),
    example(
      'does not find it any more',
      ['admin', 'GET /organisations/{organisationId}'],
      [404, refused(404, 'Organisation not found')],
      { with: made },
    ),
    example(
      'takes positive integers as identifiers',
      ['admin', 'GET /organisations/{organisationId}'],
      [404, refused(404, 'Organisation not found')],
      { with: { organisationId: 'abc' } },
    ),
    example(
      'refuses a negative limit and a field that there is not',
      ['admin', 'GET /organisations'],
      [400, invalid({ limit: ['INVALID'], orderBy: ['NOT_A_CHOICE'] })],
      { query: 'limit=-1&orderBy=password' },
    ),
  ]),
  scenario('organisations', 'a custadmin resells', { needs: ['person'], personRoles: 'ROLE_CUSTADMIN' }, [
    example(
      'creates a customer of its own, without the fields of admins',
      ['person', 'POST /organisations', { name: NAME, taxNumber: 'NL-{unique}' }],
      [201],
      {
        responses: {
          A: { organisation: reducedOrganisation({ ...MADE, resellerOrganisation: RESELLER }) },
          B: { organisation: organisationItem.B({ ...MADE, resellerOrganisation: RESELLER }) },
        },
      },
    ),
    example(
      'reads it without the fields of admins',
      ['person', 'GET /organisations/{organisationId}'],
      [200],
      {
        with: made,
        responses: {
          A: { organisation: reducedOrganisation({ resellerOrganisation: RESELLER }) },
          B: { organisation: organisationRecord.B({ resellerOrganisation: RESELLER }) },
        },
      },
    ),
    example(
      'sees its own users in the list of organisations',
      ['person', 'GET /organisations'],
      [
        200,
        {
          total: 1,
          organisations: [
            organisationItem.B({
              id: '{organisationId}',
              name: '{organisationName}',
              taxNumber: '{taxNumber}',
              users: [userItem({ roles: ['ROLE_CUSTADMIN'] })],
            }),
          ],
        },
      ],
      { only: 'B', query: 'filter={organisationName}&limit=1' },
    ),
    example(
      'may not set a field of admins',
      [
        'person',
        'PUT /organisations/{organisationId}',
        { name: NAME, taxNumber: 'NL-{unique}', externalId: 'EXT-8' },
      ],
      [400, invalid({ externalId: ['ADMIN_ONLY'] })],
      { with: made },
    ),
    example(
      'has no access to the operator organisation',
      ['person', 'GET /organisations/{organisationId}'],
      [403, refused(403)],
      { with: { organisationId: 1 } },
    ),
    example(
      'may not delete its own organisation',
      ['person', 'DELETE /organisations/{organisationId}'],
      [500, roleRequired],
    ),
  ]),
  scenario('organisations', 'a user without a role reads', { needs: ['person'] }, [
    example(
      'may not create organisations',
      ['person', 'POST /organisations', { name: NAME, taxNumber: 'NL-{unique}' }],
      [500, roleRequired],
    ),
    example(
      'may not look beneath its own',
      ['person', 'GET /organisations/{organisationId}/organisations'],
      [500, roleRequired],
    ),
  ]),
];
