import { type Scenario, example, scenario } from '../../tools/qa/scenario';
import { ADMIN_ITEM, invalid, LOGIN_PERSON, PERSON, refused } from './responses';

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
const makePartner = example(
  'makes a partner',
  ['admin', 'POST /organisations', { name: 'QA {unique} partner', taxNumber: 'NL-{unique}' }],
  [201, { organisation: PARTNER }],
);

/** Grants, notifications, entities and users of the previous panel, which Variant B has. */
export const VARIANT_B_SCENARIOS: readonly Scenario[] = [
  scenario('migrated users', 'a user comes from the previous panel', { only: 'B' }, [
    example(
      'needs names and hash',
      ['admin', `POST ${organisation}/users`, { cp3Password: 'plain' }],
      [
        400,
        invalid({
          firstName: ['REQUIRED'],
          lastName: ['REQUIRED'],
          username: ['REQUIRED'],
          cp3Password: ['INVALID_PASSWORD_HASH'],
        }),
      ],
    ),
    {
      title: 'is created with a login name',
      operation: `POST ${organisation}/users`,
      as: 'admin',
      // `openssl passwd -1 -salt abcdefgh 'Passw0rd-1x'`
      body: {
        firstName: 'Anna',
        lastName: 'de Boer',
        username: 'qa{unique}',
        cp3Password: '$1$abcdefgh$M5lxU5XK.tcr2msanB7D0/',
        websiteOrderInfo: 'Order 7',
      },
      status: 201,
      response: { user: { ...PERSON.B, id: '<id> as migrated', username: 'qa{unique}', email: '' } },
    },
    example(
      'logs in with the password of the previous panel',
      ['nobody', 'POST /login', { username: 'qa{unique}', password: '{password}' }],
      [
        200,
        {
          success: true,
          user: { ...LOGIN_PERSON.B, id: '{migrated}', username: 'qa{unique}', email: '' },
          hash: '<hash64>',
        },
      ],
    ),
    example(
      'is changed',
      [
        'admin',
        'PATCH /organisations/{organisationId}/cp3/users/{userId}',
        {
          firstName: 'Anne',
          lastName: 'Jansen',
          username: 'qa{unique}@example.com',
          cp3Password: '$1$abcdefgh$M5lxU5XK.tcr2msanB7D0/',
        },
      ],
      [
        200,
        {
          user: {
            ...PERSON.B,
            id: '{migrated}',
            username: 'qa{unique}@example.com',
            email: 'qa{unique}@example.com',
            firstName: 'Anne',
            lastName: 'Jansen',
            fullname: 'Anne Jansen',
          },
        },
      ],
      { with: { userId: '{migrated}' } },
    ),
    example(
      'does not exist elsewhere',
      [
        'admin',
        'PATCH /organisations/{organisationId}/cp3/users/{userId}',
        {
          firstName: 'A',
          lastName: 'B',
          username: 'qa{unique}',
          cp3Password: '$1$abcdefgh$M5lxU5XK.tcr2msanB7D0/',
        },
      ],
      [404, refused(404, 'User not found')],
      { with: { userId: '{migrated}', organisationId: '{adminOrganisationId}' } },
    ),
    example(
      'is created with a contact',
      [
        'admin',
        'POST /organisations/{organisationId}/userandcontact',
        {
          username: 'qa2{unique}@example.com',
          firstName: 'Anna',
          lastName: 'de Boer',
          password: '{password}',
          defaultRoles: 'ROLE_APP',
          language: 'en',
        },
      ],
      [
        201,
        {
          user: {
            ...PERSON.B,
            id: '<id>',
            username: 'qa2{unique}@example.com',
            email: 'qa2{unique}@example.com',
            roles: ['ROLE_APP'],
            language: 'en',
          },
        },
      ],
    ),
    example(
      'has a user name that nobody else has',
      [
        'admin',
        'POST /organisations/{organisationId}/userandcontact',
        {
          username: 'QA2{unique}@EXAMPLE.com',
          firstName: 'Anna',
          lastName: 'de Boer',
          password: '{password}',
        },
      ],
      [400, invalid({ username: ['ALREADY_TAKEN'] })],
    ),
  ]),
  scenario('acls', 'an organisation grants access', { only: 'B' }, [
    example(
      'names another organisation that exists',
      ['admin', `POST ${organisation}/acls`, { organisation: '{organisationId}' }],
      [400, invalid({ organisation: ['ITSELF'] })],
    ),
    makePartner,
    example('is made', ['admin', `POST ${organisation}/acls`, { organisation: '{grantee}' }], [201, { acl }]),
    example(
      'is made once',
      ['admin', `POST ${organisation}/acls`, { organisation: '{grantee}' }],
      [201, { acl: { ...acl, id: '{aclId}' } }],
    ),
    example(
      'stands in its list',
      ['admin', `GET ${organisation}/acls`],
      [200, { acls: [{ ...acl, id: '{aclId}' }] }],
    ),
    example('is taken back', ['admin', `DELETE ${organisation}/acls/{granteeId}`], [204], {
      with: { granteeId: '{grantee}' },
    }),
    example(
      'is gone',
      ['admin', `DELETE ${organisation}/acls/{granteeId}`],
      [404, refused(404, 'Grant not found')],
      { with: { granteeId: '{grantee}' } },
    ),
  ]),
  scenario('notifications', 'an organisation is notified', { only: 'B' }, [
    example(
      'needs type and group',
      ['admin', `POST ${organisation}/notifications`, { group: 'Weather', params: 'none' }],
      [400, invalid({ type: ['REQUIRED'], group: ['NOT_A_CHOICE'], params: ['WRONG_TYPE'] })],
    ),
    example(
      'is created, and is queued until a job has looked who wants it',
      [
        'admin',
        `POST ${organisation}/notifications`,
        { type: 'qa{unique}', group: 'Crm', params: { ticket: 7, lines: ['a', 'b'] } },
      ],
      [
        201,
        {
          notificationOrganisation: {
            ...notification,
            status: 0,
            statusDisplay: 'queued',
            statusCategory: 'grey',
          },
        },
      ],
    ),
    example(
      'stands in the list of its type',
      ['admin', `GET ${organisation}/notifications`],
      [200, { notifications: [{ ...notification, id: '{notificationId}' }] }],
      { query: 'type=qa{unique}' },
    ),
    example(
      'stands in the list of its group',
      ['admin', `GET ${organisation}/notifications/crm`],
      [200, { notifications: [{ ...notification, id: '{notificationId}' }] }],
      { query: 'type=qa{unique}' },
    ),
    example(
      'is ordered by what there is',
      ['admin', `GET ${organisation}/notifications`],
      [400, invalid({ orderType: ['NOT_A_CHOICE'] })],
      { query: 'orderType=upwards' },
    ),
  ]),
  scenario('entities', 'an organisation without entities', { only: 'B' }, [
    makePartner,
    example(
      'has an empty overview',
      ['admin', `GET ${organisation}/entities`],
      [200, { ...NOBODY, domains: [], systems: [], apps: [], mailgroups: [] }],
      { with: { organisationId: '{grantee}' } },
    ),
  ]),
  scenario('entities', 'an organisation with entities', { only: 'B' }, [
    example(
      'has an overview of them',
      ['admin', `GET ${organisation}/entities`],
      [
        200,
        {
          total: { apps: 1, domains: 1, mailgroups: 1, systems: 1 },
          domains: [{ id: '{domainId}', fullname: 'example.nl', ...owner }],
          systems: [{ id: '{systemId}', name: 'web1', ...owner }],
          apps: [{ id: '{appId}', name: 'shop', ...owner }],
          mailgroups: [
            {
              id: '{mailgroupId}',
              name: 'post',
              ...owner,
              domains: [
                {
                  id: '{domainId}',
                  name: 'example',
                  mailPrimary: true,
                  domaintype: { id: 1, name: 'Netherlands', extension: 'nl' },
                },
              ],
            },
          ],
        },
      ],
    ),
  ]),
];
