import { identity, invalid, refused, roleRequired, serviceKeyRecord } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const keys = '/organisations/{organisationId}/servicekeys';
const body = { name: 'service {unique}', operations: ['organisations.read', 'contacts.*'] };

const key = serviceKeyRecord({ operations: body.operations });

/** Credentials of organisations. */
export const SERVICE_KEY_SCENARIOS: readonly Scenario[] = [
  scenario(
    'servicekeys',
    'a manager keeps the service keys',
    { needs: ['person'], personRoles: 'ROLE_CUSTADMIN' },
    [
      example(
        'is created, and its hash is shown once',
        ['person', `POST ${keys}`, body],
        [
          201,
          { serviceKey: { ...key, id: '<id> as serviceKeyId', dtLastUsed: '', hash: '<hash64> as key' } },
        ],
      ),
      example(
        'says whose it is',
        ['key', 'GET /whoami'],
        [
          200,
          identity({
            userId: 0,
            username: 'servicekey:{serviceKeyId}',
            name: 'service {unique}',
            email: '',
          }),
        ],
      ),
      example('is no login', ['key', 'POST /login', {}], [403, refused(403)]),
      example('has nothing to log out of', ['key', 'POST /logout'], [204]),
      example('is read', ['person', `GET ${keys}/{serviceKeyId}`], [200, { serviceKey: key }]),
      example(
        'is refused what it is not for',
        ['key', `GET ${keys}/{serviceKeyId}`],
        [403, { ...(refused(403) as object), reason: 'OPERATION_NOT_GRANTED' }],
      ),
      example('is listed', ['person', `GET ${keys}`], [200, { total: 1, serviceKeys: [key] }], {
        query: 'filter={unique}&orderBy=dtExpires',
      }),
      example(
        'is refused operations that there are not, and that no key may do',
        ['person', `POST ${keys}`, { ...body, operations: ['kites.fly', 'apikeys.create'] }],
        [400, invalid({ operations: ['UNKNOWN_OPERATION'] })],
      ),
      example(
        'is refused a name that turns the direction of text',
        ['person', `POST ${keys}`, { ...body, name: 'a\u202eb' }],
        [400, invalid({ name: ['FORBIDDEN_CHARACTER'] })],
      ),
      example(
        'is refused a group with such',
        ['person', `POST ${keys}`, { ...body, operations: ['apikeys.*'] }],
        [400, invalid({ operations: ['OPERATION_NOT_ALLOWED'] })],
      ),
      example(
        'is changed',
        [
          'person',
          `PUT ${keys}/{serviceKeyId}`,
          { name: 'service 2 {unique}', operations: ['servicekeys.list'], beneath: true },
        ],
        [204],
      ),
      example(
        'does only its operations, as it says itself',
        ['key', `GET ${keys}`],
        [
          200,
          {
            total: 1,
            serviceKeys: [
              serviceKeyRecord({
                name: 'service 2 {unique}',
                operations: ['servicekeys.list'],
                beneath: true,
              }),
            ],
          },
        ],
        { query: 'filter={unique}' },
      ),
      example('makes no keys itself', ['key', `POST ${keys}`, body], [403, refused(403)]),
      example(
        'is rotated, and shows the hash of the new key once',
        ['person', `POST ${keys}/{serviceKeyId}/rotate`, { oldKeyHours: 0 }],
        [
          201,
          {
            serviceKey: {
              ...key,
              id: '<id> as newKeyId',
              name: 'service 2 {unique}',
              dtLastUsed: '',
              operations: ['servicekeys.list'],
              beneath: true,
              hash: '<hash64> as newKey',
            },
          },
        ],
      ),
      example('is no credential after that', ['key', 'GET /whoami'], [401, refused(401)]),
      example('is deleted', ['person', `DELETE ${keys}/{serviceKeyId}`], [204], {
        with: { serviceKeyId: '{newKeyId}' },
      }),
      example('is gone with that', ['newKey', 'GET /whoami'], [401, refused(401)]),
    ],
  ),
  scenario('servicekeys', 'who manages nothing does not', { needs: ['person'] }, [
    example('lists none', ['person', `GET ${keys}`], [500, roleRequired]),
    example('makes none', ['person', `POST ${keys}`, body], [500, roleRequired]),
  ]),
];
