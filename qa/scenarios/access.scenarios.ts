import { accessHolder, introspection, invalid, refused, roleRequired, serviceKeyRecord } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const list = '/organisations/{organisationId}/access';

/** Why a request is let in or refused, and whose credential another service was sent. */
export const ACCESS_SCENARIOS: readonly Scenario[] = [
  scenario(
    'access',
    'a manager reads who has access to the organisation',
    { needs: ['person'], personRoles: 'ROLE_CUSTADMIN' },
    [
      example(
        'makes a service key, which has access too',
        [
          'person',
          'POST /organisations/{organisationId}/servicekeys',
          { name: 'service {unique}', operations: ['organisations.read'] },
        ],
        [
          201,
          {
            serviceKey: {
              ...serviceKeyRecord({ id: '<id> as serviceKeyId', dtLastUsed: '' }),
              hash: '<hash64>',
            },
          },
        ],
      ),
      example('finds itself', ['person', `GET ${list}`], [200, { total: 1, access: [accessHolder()] }], {
        query: 'filter={username}',
      }),
      example(
        'finds the service key',
        ['person', `GET ${list}`],
        [
          200,
          {
            total: 1,
            access: [
              accessHolder({
                kind: 'serviceKey',
                id: '{serviceKeyId}',
                name: 'service {unique}',
                access: 'read',
                roles: [],
                dtLastUsed: '',
              }),
            ],
          },
        ],
        { query: 'filter=service {unique}' },
      ),
      example(
        'sees of the hosting company one row, without a name',
        ['person', `GET ${list}`],
        [
          200,
          {
            total: '<integer>',
            access: [
              accessHolder({
                kind: 'operator',
                id: 0,
                name: '',
                organisation: { id: 1, name: '' },
                by: 'above',
                roles: [],
                dtLastUsed: '',
              }),
            ],
          },
        ],
        { query: 'limit=1' },
      ),
      example(
        'cannot order by what has no order',
        ['person', `GET ${list}`],
        [400, invalid({ orderBy: ['NOT_A_CHOICE'] })],
        { query: 'orderBy=roles' },
      ),
      example(
        'ends the key',
        ['person', 'DELETE /organisations/{organisationId}/servicekeys/{serviceKeyId}'],
        [204],
      ),
    ],
  ),
  scenario('access', 'who manages nothing does not read who has access', { needs: ['person'] }, [
    example('is for managers', ['person', `GET ${list}`], [500, roleRequired]),
  ]),
  scenario('access', 'another service asks whose credential it was sent', { needs: ['person'] }, [
    example(
      'tells of a login',
      ['admin', 'POST /access/introspect', { token: '{person}', address: '192.0.2.7' }],
      [200, introspection()],
    ),
    example(
      'says nothing of an unknown token',
      ['admin', 'POST /access/introspect', { token: 'unknown' }],
      [200, { active: false }],
    ),
    example(
      'needs a token, and an address that is one',
      ['admin', 'POST /access/introspect', { token: '', address: 'here' }],
      [400, invalid({ token: ['REQUIRED'], address: ['INVALID_IP_ADDRESS'] })],
    ),
    example(
      'ignores what OAuth clients send along, and knows no zone index',
      ['admin', 'POST /access/introspect', { token: 'x', client_id: 'dns', address: 'fe80::1%eth0' }],
      [400, invalid({ address: ['INVALID_IP_ADDRESS'] })],
    ),
    example(
      'is for admins and service keys',
      ['person', 'POST /access/introspect', { token: '{person}' }],
      [500, roleRequired],
    ),
    example('lets a proxy pass the request on', ['person', 'GET /access/forward'], [204]),
    example(
      'refuses who lacks the role',
      ['person', 'GET /access/forward'],
      [403, { ...(refused(403) as object), reason: 'ROLE_REQUIRED' }],
      { query: 'role=ROLE_ADMIN,ROLE_CUSTADMIN' },
    ),
    example(
      'refuses who lacks the role in the organisation',
      ['person', 'GET /access/forward'],
      [403, { ...(refused(403) as object), reason: 'ROLE_REQUIRED' }],
      { query: 'organisation={organisationId}&role=ROLE_CUSTADMIN' },
    ),
    example(
      'refuses an organisation out of reach as one that does not exist',
      ['person', 'GET /access/forward'],
      [403, { ...(refused(403) as object), reason: 'ACCESS_DENIED' }],
      { query: 'organisation=2147483647' },
    ),
    example(
      'knows what it was asked for',
      ['person', 'GET /access/forward'],
      [400, invalid({ role: ['NOT_A_CHOICE'], organisation: ['INVALID_IDENTIFIER'] })],
      { query: 'role=ROLE_KING&organisation=x' },
    ),
    example(
      'knows no other demand',
      ['person', 'GET /access/forward'],
      [400, invalid({ roles: ['UNKNOWN_PARAMETER'], 'organisation[]': ['UNKNOWN_PARAMETER'] })],
      { query: 'roles=ROLE_ADMIN&organisation[]=1' },
    ),
    example('needs a credential that counts', ['nobody', 'GET /access/forward'], [401, refused(401)]),
  ]),
];
