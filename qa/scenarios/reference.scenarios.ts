import english from 'i18n-iso-countries/langs/en.json';
import { billingRecord, invalid, refused, roleRequired } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

/** ISO 3166-1, from the package's own table, which has Kosovo too (rule requests 35). */
const COUNTRIES = Object.entries(english.countries)
  .map(([id, names]) => ({ id, name: typeof names === 'string' ? names : (names[0] ?? '') }))
  .sort((one, other) => new Intl.Collator('en').compare(one.name, other.name));

const described = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, description]) => ({ name, description }));

const billing = '/organisations/{organisationId}/billing';

const CHANGED = {
  discount: '12.5%',
  peppolInvoicing: true,
  prePaymentRequired: true,
  isSoft: true,
  beforeFirstOrder: 'a signed contract',
  commissionFactor: 3,
  documentInterval: '2',
  invoiceDay: { min: 5, max: 20 },
} as const;

/** What forms choose from, and what billing keeps of an organisation. */
export const REFERENCE_SCENARIOS: readonly Scenario[] = [
  scenario('reference data', 'a form finds what it can choose from', { needs: ['user'] }, [
    example('countries', ['person', 'GET /countries'], [200, { countries: COUNTRIES }]),
    example(
      'types of organisations in Dutch',
      ['person', 'GET /organisationTypes'],
      [
        200,
        {
          organisationTypes: [
            { id: '1', identifier: 1, description: 'Klant' },
            { id: '2', identifier: 2, description: 'Wederverkoper' },
            { id: '3', identifier: 3, description: 'Aanbieder' },
          ],
        },
      ],
      { headers: { 'accept-language': 'nl-BE, fr;q=0.8' } },
    ),
    example(
      'types of organisations in English',
      ['person', 'GET /organisationTypes'],
      [
        200,
        {
          organisationTypes: [
            { id: '1', identifier: 1, description: 'Customer' },
            { id: '2', identifier: 2, description: 'Reseller' },
            { id: '3', identifier: 3, description: 'Operator' },
          ],
        },
      ],
    ),
    example(
      'roles',
      ['person', 'GET /roles'],
      [
        200,
        {
          roles: described({
            ROLE_ADMIN: 'Manages everything; only for people of the operator',
            ROLE_CUSTADMIN: 'Manages its organisation and all beneath it',
            ROLE_FINANCE: 'Invoices and payments',
            ROLE_SYSTEM: 'Systems',
            ROLE_DOMAIN: 'Domains',
            ROLE_MAIL: 'Mail',
            ROLE_APP: 'Apps',
          }),
        },
      ],
    ),
    example(
      'groups of notifications in French',
      ['person', 'GET /notificationGroups'],
      [
        200,
        {
          notificationGroups: described({
            System: 'Connexions, clés et systèmes',
            Domain: 'Domaines',
            App: 'Applications',
            Finance: 'Factures et paiements',
            Job: 'Tâches en cours',
            Crm: 'Personnes et relations',
            Mail: 'E-mail',
          }),
        },
      ],
      { headers: { 'accept-language': 'fr' } },
    ),
  ]),
  scenario('reference data', 'an admin keeps the price groups', { needs: ['person'] }, [
    example(
      'creates one',
      ['admin', 'POST /pricegroups', { description: 'QA {unique}' }],
      [201, { pricegroup: { id: '<words> as pricegroupId', description: 'QA {unique}' } }],
    ),
    example(
      'creates none twice',
      ['admin', 'POST /pricegroups', { description: 'QA {unique}' }],
      [400, invalid({ description: ['ALREADY_TAKEN'] })],
    ),
    example(
      'renames it',
      ['admin', 'PUT /pricegroups/{pricegroupId}', { description: 'QA {unique} renamed' }],
      [204],
    ),
    example(
      'leaves the default its name',
      ['admin', 'PUT /pricegroups/{pricegroupId}', { description: 'standard' }],
      [400, invalid({ description: ['NOT_CHANGEABLE'] })],
      { with: { pricegroupId: 1 } },
    ),
    example('finds them all', ['admin', 'GET /pricegroups'], [200, { pricegroups: '<pricegroups>' }]),
    example('keeps them from others', ['person', 'GET /pricegroups'], [500, roleRequired]),
    example('deletes it', ['admin', 'DELETE /pricegroups/{pricegroupId}'], [204]),
    example(
      'finds the deleted one no more',
      ['admin', 'DELETE /pricegroups/{pricegroupId}'],
      [404, refused(404)],
    ),
  ]),
  scenario('organisations', 'billing keeps fields of its own', { needs: ['person'] }, [
    example('which have their defaults', ['admin', `GET ${billing}`], [200, { billing: billingRecord() }]),
    example('sets them', ['admin', `PUT ${billing}`, CHANGED], [204]),
    example('reads them', ['admin', `GET ${billing}`], [200, { billing: billingRecord(CHANGED) }]),
    example(
      'sets some, and clears what can be null',
      ['admin', `PATCH ${billing}`, billingRecord({ beforeFirstOrder: null })],
      [204],
    ),
    example('has them back', ['admin', `GET ${billing}`], [200, { billing: billingRecord() }]),
    example(
      'looks at what it is told',
      [
        'admin',
        `PUT ${billing}`,
        { discount: null, isSoft: 'perhaps', commissionFactor: 1.5, invoiceDay: { min: 9, max: 3 } },
      ],
      [
        400,
        invalid({
          discount: ['NOT_NULLABLE'],
          isSoft: ['WRONG_TYPE'],
          commissionFactor: ['WRONG_TYPE'],
          invoiceDay: ['INVALID'],
        }),
      ],
    ),
    example('keeps them from customers', ['person', `GET ${billing}`], [500, roleRequired]),
  ]),
];
