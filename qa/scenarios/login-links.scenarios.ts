import { invalid, loggedIn, loginRecord, refused, serviceKeyRecord } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const user = '/organisations/{organisationId}/users/{userId}';
const links = `${user}/loginlinks`;
const keys = '/organisations/{organisationId}/servicekeys';
const ofOperator = { organisationId: '{adminOrganisationId}' };
const body = {
  name: 'billing {unique}',
  operations: ['loginlinks.create'],
  whitelist: ['{ownAddress}'],
};

const refusal = (status: number, reason: string) => ({ ...(refused(status) as object), reason });

const loginLink = { token: '<hash64> as linkToken', url: '<text>', dtExpires: '<timestamp>' };

/** Links by which billing lets its customers into the panel. */
export const LOGIN_LINK_SCENARIOS: readonly Scenario[] = [
  scenario('loginlinks', 'billing lets a customer into the panel', { needs: ['person'] }, [
    example(
      'knows the address of the run',
      ['person', `GET ${user}/logins`],
      [200, { total: 1, logins: [loginRecord({ ip: '<words> as ownAddress', current: true })] }],
    ),
    example(
      'needs a key with a whitelist',
      ['admin', `POST ${keys}`, { ...body, whitelist: [] }],
      [400, invalid({ whitelist: ['REQUIRED'] })],
      { with: ofOperator },
    ),
    example(
      'needs a key that names the operation itself',
      ['admin', `POST ${keys}`, { ...body, operations: ['loginlinks.*'] }],
      [400, invalid({ operations: ['UNKNOWN_OPERATION'] })],
      { with: ofOperator },
    ),
    example(
      'has such a key',
      ['admin', `POST ${keys}`, body],
      [
        201,
        {
          serviceKey: {
            ...(serviceKeyRecord({ ...body, id: '<id> as billingId', dtLastUsed: '' }) as object),
            hash: '<hash64> as billing',
          },
        },
      ],
      { with: ofOperator },
    ),
    example(
      'needs a time of ten seconds to five minutes, and an address',
      ['billing', `POST ${links}`, { expires: 9, address: 'panel.example' }],
      [400, invalid({ expires: ['TOO_SMALL'], address: ['INVALID_IP_ADDRESS'] })],
    ),
    example(
      'needs no longer time',
      ['billing', `POST ${links}`, { expires: 301 }],
      [400, invalid({ expires: ['TOO_LARGE'] })],
    ),
    example('is for no person', ['admin', `POST ${links}`, {}], [403, refusal(403, 'ACCESS_DENIED')]),
    example(
      'is for nobody who holds ROLE_ADMIN',
      ['billing', `POST ${links}`, {}],
      [403, refusal(403, 'ACCESS_DENIED')],
      { with: { ...ofOperator, userId: '{adminId}' } },
    ),
    example(
      'shows the token once',
      ['billing', `POST ${links}`, { expires: 120, address: '{ownAddress}' }],
      [201, { loginLink }],
    ),
    example('logs the customer in', ['nobody', 'POST /login/link', { token: '{linkToken}' }], [200], {
      responses: {
        A: loggedIn.A({ hash: '<hash64> as linked' }),
        B: loggedIn.B({ hash: '<hash64> as linked' }),
      },
    }),
    example(
      'logs in once',
      ['nobody', 'POST /login/link', { token: '{linkToken}' }],
      [401, refusal(401, 'BAD_CREDENTIALS')],
    ),
    example('needs a token', ['nobody', 'POST /login/link', {}], [400, invalid({ token: ['REQUIRED'] })]),
    example(
      'is named in the list of logins',
      ['linked', `GET ${user}/logins`],
      [
        200,
        {
          total: 1,
          logins: [
            { ...(loginRecord({ ip: '<words>', current: true }) as object), serviceKey: 'billing {unique}' },
          ],
        },
      ],
      { query: 'filter=billing' },
    ),
    example(
      'makes no other credential: for that the customer logs in with the password',
      ['linked', `POST ${user}/apikeys`, { name: 'robot {unique}', whitelist: [] }],
      [403, refusal(403, 'LOG_IN_WITH_PASSWORD')],
      { only: 'A' },
    ),
    example('ends with its key', ['admin', `DELETE ${keys}/{serviceKeyId}`], [204], {
      with: { ...ofOperator, serviceKeyId: '{billingId}' },
    }),
    example('ends with its key, the login too', ['linked', `GET ${user}`], [401, refused(401)]),
    example('makes no link without a key', ['billing', `POST ${links}`, {}], [401, refused(401)]),
  ]),
];
