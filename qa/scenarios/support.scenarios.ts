import { identity, invalid, loginRecord, refused, roleRequired, supportLogin } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const access = '/organisations/{organisationId}/supportaccess';
const logins = '/organisations/{organisationId}/users/{userId}/supportlogins';
const body = { reason: 'Ticket {unique}', minutes: 5, write: false };

/** Logins of staff in the name of a user, and what an organisation lets them do. */
export const SUPPORT_SCENARIOS: readonly Scenario[] = [
  scenario(
    'support',
    'a manager says what support may do',
    { needs: ['person'], personRoles: 'ROLE_CUSTADMIN' },
    [
      example(
        'lets support read unless told otherwise',
        ['person', `GET ${access}`],
        [200, { access: 'read' }],
      ),
      example('lets support write', ['person', `PUT ${access}`, { access: 'write' }], [204]),
      example('is shown to an admin', ['admin', `GET ${access}`], [200, { access: 'write' }]),
      example(
        'is not for an admin to change',
        ['admin', `PUT ${access}`, { access: 'write' }],
        [403, { ...(refused(403) as object), reason: 'ACCESS_DENIED' }],
      ),
      example(
        'is one of three words',
        ['person', `PUT ${access}`, { access: 'all' }],
        [400, invalid({ access: ['NOT_A_CHOICE'] })],
      ),
      example('is one of them', ['person', `PUT ${access}`, {}], [400, invalid({ access: ['REQUIRED'] })]),
      example('lets support do nothing', ['person', `PUT ${access}`, { access: 'none' }], [204]),
      example('is as it was told', ['person', `GET ${access}`], [200, { access: 'none' }]),
      example('lets support read again', ['person', `PUT ${access}`, { access: 'read' }], [204]),
    ],
  ),
  scenario('support', 'staff logs in in the name of a user', { needs: ['person'] }, [
    example(
      'needs a reason and a time within an hour',
      ['admin', `POST ${logins}`, { reason: ' ', minutes: 61, write: 'perhaps' }],
      [400, invalid({ reason: ['REQUIRED'], minutes: ['TOO_LARGE'], write: ['WRONG_TYPE'] })],
    ),
    example(
      'needs five minutes, and 500 characters are enough',
      ['admin', `POST ${logins}`, { reason: 'x'.repeat(501), minutes: 4 }],
      [400, invalid({ reason: ['TOO_LONG'], minutes: ['TOO_SMALL'] })],
    ),
    example(
      'needs a second factor of its own',
      ['admin', `POST ${logins}`, body],
      [403, { ...(refused(403) as object), reason: 'SECOND_FACTOR_REQUIRED' }],
    ),
    example('is for admins', ['person', `POST ${logins}`, body], [500, roleRequired]),
    example('lets nobody else see what is allowed', ['person', `GET ${access}`], [500, roleRequired]),
    example(
      'lets nobody else change it',
      ['person', `PUT ${access}`, { access: 'none' }],
      [500, roleRequired],
    ),
  ]),
];

/** For an admin with a second factor, whom the QA kit does not have. */
export const SUPPORTED_SCENARIO: Scenario = scenario(
  'support',
  'staff reads in the name of a user',
  { needs: ['person'] },
  [
    example(
      'shows the hash once',
      ['admin', `POST ${logins}`, body],
      [201, { supportLogin: supportLogin() }],
    ),
    example('says whose it is', ['support', 'GET /whoami'], [200, { ...identity(), support: true }]),
    example(
      'changes nothing',
      ['support', 'DELETE /organisations/{organisationId}/users/{userId}/logins'],
      [403, { ...(refused(403) as object), reason: 'SUPPORT_READ_ONLY' }],
    ),
    example(
      'is among the logins of the user',
      ['person', 'GET /organisations/{organisationId}/users/{userId}/logins'],
      [
        200,
        {
          total: 1,
          logins: [
            {
              ...loginRecord({ id: '{supportId}', ip: '', country: '', os: '', browser: '' }),
              support: true,
              reason: 'Ticket {unique}',
            },
          ],
        },
      ],
      { query: 'filter=Ticket' },
    ),
    example('ends with its logout', ['support', 'POST /logout'], [204]),
    example('is no credential after that', ['support', 'GET /whoami'], [401, refused(401)]),
  ],
);
