import english from 'i18n-iso-countries/langs/en.json';
import type { Scenario } from '../../qa/scenario';
import { invalid, refused, roleRequired } from './responses';

/** ISO 3166-1, from the package's own table: it has Kosovo too, whose code is for users to assign. */
const COUNTRIES = Object.entries(english.countries)
  .filter(([id]) => id !== 'XK')
  .map(([id, names]) => ({ id, name: typeof names === 'string' ? names : (names[0] ?? '') }))
  .sort((one, other) => new Intl.Collator('en').compare(one.name, other.name));

const described = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([name, description]) => ({ name, description }));

const billing = '/organisations/{organisationId}/billing';

const BILLING = {
  discount: '',
  peppolInvoicing: false,
  prePaymentRequired: false,
  isSoft: false,
  beforeFirstOrder: null,
  commissionFactor: null,
  documentInterval: '0',
  invoiceDay: { min: 1, max: 28 },
} as const;

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
  {
    area: 'reference data',
    title: 'a form finds what it can choose from',
    needs: ['user'],
    examples: [
      {
        title: 'countries',
        operation: 'GET /countries',
        as: 'person',
        status: 200,
        response: { countries: COUNTRIES },
      },
      {
        title: 'types of organisations in Dutch',
        operation: 'GET /organisationTypes',
        headers: { 'accept-language': 'nl-BE, fr;q=0.8' },
        as: 'person',
        status: 200,
        response: {
          organisationTypes: [
            { id: '1', identifier: 1, description: 'Klant' },
            { id: '2', identifier: 2, description: 'Wederverkoper' },
            { id: '3', identifier: 3, description: 'Aanbieder' },
          ],
        },
      },
      {
        title: 'types of organisations in English',
        operation: 'GET /organisationTypes',
        as: 'person',
        status: 200,
        response: {
          organisationTypes: [
            { id: '1', identifier: 1, description: 'Customer' },
            { id: '2', identifier: 2, description: 'Reseller' },
            { id: '3', identifier: 3, description: 'Operator' },
          ],
        },
      },
      {
        title: 'roles',
        operation: 'GET /roles',
        as: 'person',
        status: 200,
        response: {
          roles: described({
            ROLE_ADMIN: 'Manages everything; for people of the operator alone',
            ROLE_CUSTADMIN: 'Manages its organisation and all beneath it',
            ROLE_FINANCE: 'Invoices and payments',
            ROLE_SYSTEM: 'Systems',
            ROLE_DOMAIN: 'Domains',
            ROLE_MAIL: 'Mail',
            ROLE_APP: 'Apps',
          }),
        },
      },
      {
        title: 'groups of notifications in French',
        operation: 'GET /notificationGroups',
        headers: { 'accept-language': 'fr' },
        as: 'person',
        status: 200,
        response: {
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
      },
    ],
  },
  {
    area: 'reference data',
    title: 'an admin keeps the price groups',
    needs: ['person'],
    examples: [
      {
        title: 'creates one',
        operation: 'POST /pricegroups',
        as: 'admin',
        body: { description: 'QA {unique}' },
        status: 201,
        response: { pricegroup: { id: '<words> as pricegroupId', description: 'QA {unique}' } },
      },
      {
        title: 'creates none twice',
        operation: 'POST /pricegroups',
        as: 'admin',
        body: { description: 'QA {unique}' },
        status: 400,
        response: invalid({ description: ['ALREADY_TAKEN'] }),
      },
      {
        title: 'renames it',
        operation: 'PUT /pricegroups/{pricegroupId}',
        as: 'admin',
        body: { description: 'QA {unique} renamed' },
        status: 204,
      },
      {
        title: 'leaves the default its name',
        operation: 'PUT /pricegroups/{pricegroupId}',
        with: { pricegroupId: 1 },
        as: 'admin',
        body: { description: 'standard' },
        status: 400,
        response: invalid({ description: ['NOT_CHANGEABLE'] }),
      },
      {
        title: 'finds them all',
        operation: 'GET /pricegroups',
        as: 'admin',
        status: 200,
        response: { pricegroups: '<pricegroups>' },
      },
      {
        title: 'keeps them from others',
        operation: 'GET /pricegroups',
        as: 'person',
        status: 500,
        response: roleRequired,
      },
      { title: 'deletes it', operation: 'DELETE /pricegroups/{pricegroupId}', as: 'admin', status: 204 },
      {
        title: 'finds the deleted one no more',
        operation: 'DELETE /pricegroups/{pricegroupId}',
        as: 'admin',
        status: 404,
        response: refused(404),
      },
    ],
  },
  {
    area: 'organisations',
    title: 'billing keeps fields of its own',
    needs: ['person'],
    examples: [
      {
        title: 'which have their defaults',
        operation: `GET ${billing}`,
        as: 'admin',
        status: 200,
        response: { billing: BILLING },
      },
      { title: 'sets them', operation: `PUT ${billing}`, as: 'admin', body: CHANGED, status: 204 },
      {
        title: 'reads them',
        operation: `GET ${billing}`,
        as: 'admin',
        status: 200,
        response: { billing: CHANGED },
      },
      {
        title: 'sets some, and clears what can be null',
        operation: `PATCH ${billing}`,
        as: 'admin',
        body: { ...BILLING, beforeFirstOrder: null },
        status: 204,
      },
      {
        title: 'has them back',
        operation: `GET ${billing}`,
        as: 'admin',
        status: 200,
        response: { billing: BILLING },
      },
      {
        title: 'looks at what it is told',
        operation: `PUT ${billing}`,
        as: 'admin',
        body: { discount: null, isSoft: 'perhaps', commissionFactor: 1.5, invoiceDay: { min: 9, max: 3 } },
        status: 400,
        response: invalid({
          discount: ['NOT_NULLABLE'],
          isSoft: ['WRONG_TYPE'],
          commissionFactor: ['WRONG_TYPE'],
          invoiceDay: ['INVALID'],
        }),
      },
      {
        title: 'keeps them from customers',
        operation: `GET ${billing}`,
        as: 'person',
        status: 500,
        response: roleRequired,
      },
    ],
  },
];
