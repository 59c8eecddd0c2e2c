import type { Story } from '../../qa/sample';
import { ADMIN_ITEM, invalid, refused } from './answers';

const organisation = '/organisations/{organisationId}';
const acl = {
  id: '<id> as aclId',
  object: 'organisation',
  objectId: '{organisationId}',
  permissions: null,
  extra: null,
  type: 'manual',
  organisation: { id: '{grantee}', name: 'QA {unique} partner' },
} as const;
const notification = {
  id: '<id> as notificationId',
  entityIndex: 'Organisation-{organisationId}',
  entityName: '{organisationName}',
  dtStamp: '<timestamp>',
  notificationGroup: 'Crm',
  type: 'qa{unique}',
  entityClass: 'Organisation',
  entityId: '{organisationId}',
  rootEntityClass: 'Organisation',
  rootEntityId: '{organisationId}',
  status: '<integer>',
  statusDisplay: '<words>',
  statusCategory: '<words>',
  sendMode: 0,
  priority: 0,
  subject: null,
  params: { ticket: 7, lines: ['a', 'b'] },
  userId: '{adminId}',
  contacts: [],
  extraRecipients: [],
  entity: { id: '{organisationId}', name: '{organisationName}' },
  user: ADMIN_ITEM,
} as const;
const NOBODY = { total: { apps: 0, domains: 0, mailgroups: 0, systems: 0 } } as const;
const owner = { organisationId: '{organisationId}', organisationName: '{organisationName}' } as const;

const PARTNER = {
  id: '<id> as grantee',
  name: 'QA {unique} partner',
  taxNumber: 'NL-{unique}',
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
} as const;
const makePartner = {
  title: 'makes a partner',
  operation: 'POST /organisations',
  as: 'admin',
  body: { name: 'QA {unique} partner', taxNumber: 'NL-{unique}' },
  status: 201,
  answer: { organisation: PARTNER },
} as const;

/** Grants, notifications and entities, which Variant B has. */
export const VARIANT_B_STORIES: readonly Story[] = [
  {
    area: 'acls',
    title: 'an organisation grants access',
    only: 'B',
    samples: [
      {
        title: 'names another organisation that exists',
        operation: `POST ${organisation}/acls`,
        as: 'admin',
        body: { organisation: '{organisationId}' },
        status: 400,
        answer: invalid('organisation'),
      },
      makePartner,
      {
        title: 'is made',
        operation: `POST ${organisation}/acls`,
        as: 'admin',
        body: { organisation: '{grantee}' },
        status: 201,
        answer: { acl },
      },
      {
        title: 'is made once',
        operation: `POST ${organisation}/acls`,
        as: 'admin',
        body: { organisation: '{grantee}' },
        status: 201,
        answer: { acl: { ...acl, id: '{aclId}' } },
      },
      {
        title: 'is taken back',
        operation: `DELETE ${organisation}/acls/{granteeId}`,
        with: { granteeId: '{grantee}' },
        as: 'admin',
        status: 204,
      },
      {
        title: 'is gone',
        operation: `DELETE ${organisation}/acls/{granteeId}`,
        with: { granteeId: '{grantee}' },
        as: 'admin',
        status: 404,
        answer: refused(404),
      },
    ],
  },
  {
    area: 'notifications',
    title: 'an organisation is notified',
    only: 'B',
    samples: [
      {
        title: 'needs type and group',
        operation: `POST ${organisation}/notifications`,
        as: 'admin',
        body: { group: 'Weather', params: 'none' },
        status: 400,
        answer: invalid('type', 'group', 'params'),
      },
      {
        title: 'is created; nobody wants it, so that nothing is left to send',
        operation: `POST ${organisation}/notifications`,
        as: 'admin',
        body: { type: 'qa{unique}', group: 'Crm', params: { ticket: 7, lines: ['a', 'b'] } },
        status: 201,
        answer: {
          notificationOrganisation: {
            ...notification,
            status: 1,
            statusDisplay: 'sent',
            statusCategory: 'green',
          },
        },
      },
      {
        title: 'stands in the list of its type',
        operation: `GET ${organisation}/notifications`,
        query: 'type=qa{unique}',
        as: 'admin',
        status: 200,
        answer: { notifications: [{ ...notification, id: '{notificationId}' }] },
      },
      {
        title: 'stands in the list of its group',
        operation: `GET ${organisation}/notifications/crm`,
        query: 'type=qa{unique}',
        as: 'admin',
        status: 200,
        answer: { notifications: [{ ...notification, id: '{notificationId}' }] },
      },
      {
        title: 'is ordered by what there is',
        operation: `GET ${organisation}/notifications`,
        query: 'orderType=upwards',
        as: 'admin',
        status: 400,
        answer: invalid('orderType'),
      },
    ],
  },
  {
    area: 'entities',
    title: 'an organisation without entities',
    only: 'B',
    samples: [
      makePartner,
      {
        title: 'has an empty overview',
        operation: `GET ${organisation}/entities`,
        with: { organisationId: '{grantee}' },
        as: 'admin',
        status: 200,
        answer: { ...NOBODY, domains: [], systems: [], apps: [], mailgroups: [] },
      },
    ],
  },
  {
    area: 'entities',
    title: 'an organisation with entities',
    only: 'B',
    needs: ['entities'],
    samples: [
      {
        title: 'has an overview of them',
        operation: `GET ${organisation}/entities`,
        as: 'admin',
        status: 200,
        answer: {
          total: { apps: 1, domains: 1, mailgroups: 1, systems: 1 },
          domains: [{ id: 102, fullname: 'example.nl', ...owner }],
          systems: [{ id: 104, name: 'web1', ...owner }],
          apps: [{ id: 101, name: 'shop', ...owner }],
          mailgroups: [
            {
              id: 103,
              name: 'post',
              ...owner,
              domains: [
                { id: 102, name: 'example', mailPrimary: true, domaintype: { id: 1, extension: 'nl' } },
              ],
            },
          ],
        },
      },
    ],
  },
];
