import { invalid, loggedIn, organisationItem, refused, userOfLogin, userRecord } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

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
const makePartner = example(
  'makes a partner',
  ['admin', 'POST /organisations', { name: 'QA {unique} partner', taxNumber: 'NL-{unique}' }],
  [201, { organisation: organisationItem.B({ id: '<id> as grantee', name: 'QA {unique} partner' }) }],
);

/** Grants and users of the previous panel, which Variant B has. */
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
      response: { user: userRecord.B({ id: '<id> as migrated', username: 'qa{unique}', email: '' }) },
    },
    example(
      'logs in with the password of the previous panel',
      ['nobody', 'POST /login', { username: 'qa{unique}', password: '{password}' }],
      [200, loggedIn.B({ user: userOfLogin.B({ id: '{migrated}', username: 'qa{unique}', email: '' }) })],
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
          user: userRecord.B({
            id: '{migrated}',
            username: 'qa{unique}@example.com',
            email: 'qa{unique}@example.com',
            firstName: 'Anne',
            lastName: 'Jansen',
            fullname: 'Anne Jansen',
          }),
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
          user: userRecord.B({
            id: '<id>',
            username: 'qa2{unique}@example.com',
            email: 'qa2{unique}@example.com',
            roles: ['ROLE_APP'],
            language: 'en',
          }),
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
];
