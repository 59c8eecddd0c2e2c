import type { Scenario } from '../../qa/scenario';
import { invalid, LOGIN_PERSON, refused } from './responses';

const credentials = { username: '{username}', password: '{password}' } as const;
const enabledLogin = {
  success: true,
  user: { ...LOGIN_PERSON.A, status2fa: 'enabled' },
  hash: '<hash64>',
  hash2fa: '',
} as const;
const device = {
  country: '<text>',
  ip: '<words>',
  os: '<words>',
  browser: '<words>',
  userAgent: '{agent}',
} as const;
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const trusted = {
  id: '<id> as token2faId',
  trustedDevice: { ...device, userAgent: agent },
  dtCreated: '<timestamp>',
  dtExpires: '<timestamp>',
} as const;
const user = '/organisations/{organisationId}/users/{userId}';

/** Two-factor login and trusted devices, which Variant A has. */
export const TWO_FACTOR_SCENARIOS: readonly Scenario[] = [
  {
    area: 'two-factor',
    title: 'a user sets up two-factor login',
    only: 'A',
    needs: ['person'],
    examples: [
      {
        title: 'shows a secret',
        operation: 'POST /enable2faandget2fasecret',
        body: credentials,
        status: 200,
        response: { success: true, secret: '<base32> as secret' },
      },
      {
        title: 'refuses to log in meanwhile',
        operation: 'POST /login',
        body: credentials,
        status: 401,
        response: refused(401, '2FA is requested'),
      },
      {
        title: 'refuses a wrong password',
        operation: 'POST /activate2fa',
        body: { ...credentials, password: 'Wr0ng-password', '6digitCode': '000000' },
        status: 401,
        response: refused(401),
      },
      {
        title: 'refuses to go on without a code',
        operation: 'POST /activate2fa',
        body: credentials,
        status: 401,
        response: refused(401, '6digitCode is invalid'),
      },
      {
        title: 'gives it up',
        operation: 'POST /cancel2faActivation',
        body: credentials,
        status: 200,
        response: { success: true },
      },
      {
        title: 'logs in as before',
        operation: 'POST /login',
        body: credentials,
        status: 200,
        response: { success: true, user: LOGIN_PERSON.A, hash: '<hash64>', hash2fa: '' },
      },
      {
        title: 'shows another secret',
        operation: 'POST /enable2faandget2fasecret',
        body: credentials,
        status: 200,
        response: { success: true, secret: '<base32> as secret' },
      },
      {
        title: 'is switched on with a right code, and trusts the device',
        operation: 'POST /activate2fa',
        headers: { 'user-agent': agent },
        body: { ...credentials, '6digitCode': '{code}', trustThisDevice: true },
        status: 200,
        response: { ...enabledLogin, hash: '<hash64> as person', hash2fa: '<secret> as deviceToken' },
      },
      {
        title: 'shows no secret once it is on',
        operation: 'POST /enable2faandget2fasecret',
        body: credentials,
        status: 400,
        response: refused(400),
      },
      {
        title: 'is not given up once it is on',
        operation: 'POST /cancel2faActivation',
        body: credentials,
        status: 400,
        response: refused(400),
      },
      {
        title: 'asks other devices for a code',
        operation: 'POST /login',
        body: credentials,
        status: 401,
        response: refused(401, '6digitCode is invalid'),
      },
      {
        title: 'takes the token of the device, and gives it back',
        operation: 'POST /login',
        body: { ...credentials, '2faToken': '{deviceToken}' },
        status: 200,
        response: { ...enabledLogin, hash2fa: '{deviceToken}' },
      },
      {
        title: 'refuses another token',
        operation: 'POST /login',
        body: { ...credentials, '2faToken': '{unique}' },
        status: 401,
        response: refused(401, '2FA token is invalid'),
      },
      {
        title: 'takes a code',
        operation: 'POST /login',
        body: { ...credentials, '6digitCode': '{code}' },
        status: 200,
        response: enabledLogin,
      },
      {
        title: 'makes ten recovery codes, shown once',
        operation: `POST ${user}/recoverycodes`,
        as: 'person',
        status: 201,
        response: {
          recoveryCodes: {
            left: 10,
            dtCreated: '<timestamp> as madeAt',
            codes: ['<words> as recoveryCode', ...Array<string>(9).fill('<words>')],
          },
        },
      },
      {
        title: 'takes a recovery code in the place of a code',
        operation: 'POST /login',
        body: { ...credentials, '6digitCode': '{recoveryCode}' },
        status: 200,
        response: enabledLogin,
      },
      {
        title: 'takes it once',
        operation: 'POST /login',
        body: { ...credentials, '6digitCode': '{recoveryCode}' },
        status: 401,
        response: refused(401, '6digitCode is invalid'),
      },
      {
        title: 'tells how many recovery codes are left',
        operation: `GET ${user}/recoverycodes`,
        as: 'admin',
        status: 200,
        response: { recoveryCodes: { left: 9, dtCreated: '{madeAt}' } },
      },
      {
        title: 'lists the trusted device',
        operation: `GET ${user}/token2fa`,
        as: 'person',
        status: 200,
        response: { total: 1, tokens2fa: [trusted] },
      },
      {
        title: 'reads the trusted device',
        operation: `GET ${user}/token2fa/{token2faId}`,
        as: 'admin',
        status: 200,
        response: { token2fa: { ...trusted, id: '{token2faId}' } },
      },
      {
        title: 'ends the trust',
        operation: `DELETE ${user}/token2fa/{token2faId}`,
        as: 'person',
        status: 204,
      },
      {
        title: 'does not find it any more',
        operation: `GET ${user}/token2fa/{token2faId}`,
        as: 'person',
        status: 404,
        response: refused(404, 'Token not found'),
      },
      {
        title: 'takes the token of that device no more',
        operation: 'POST /login',
        body: { ...credentials, '2faToken': '{deviceToken}' },
        status: 401,
        response: refused(401, '2FA token is invalid'),
      },
      {
        title: 'is switched off',
        operation: `PATCH ${user}/disable2fa`,
        as: 'admin',
        // Asked of users themselves, where STEP_UP is on.
        body: { password: credentials.password, '6digitCode': '123456' },
        status: 204,
      },
      {
        title: 'has no recovery codes then',
        operation: `GET ${user}/recoverycodes`,
        as: 'admin',
        status: 200,
        response: { recoveryCodes: { left: 0, dtCreated: '' } },
      },
      {
        title: 'makes no recovery codes then',
        operation: `POST ${user}/recoverycodes`,
        as: 'person',
        status: 400,
        response: refused(400, '2FA is not enabled'),
      },
      {
        title: 'logs in without a code then',
        operation: 'POST /login',
        body: credentials,
        status: 200,
        response: { success: true, user: LOGIN_PERSON.A, hash: '<hash64>', hash2fa: '' },
      },
      { title: 'is asked for by a manager', operation: `PATCH ${user}/enable2fa`, as: 'admin', status: 204 },
      {
        title: 'refuses to log in until it is set up',
        operation: 'POST /login',
        body: credentials,
        status: 401,
        response: refused(401, '2FA is requested'),
      },
    ],
  },
  {
    area: 'two-factor',
    title: 'nobody sets up two-factor login',
    only: 'A',
    examples: ['enable2faandget2fasecret', 'activate2fa', 'cancel2faActivation'].flatMap((path) => [
      {
        title: 'needs user name and password',
        operation: `POST /${path}`,
        body: {},
        status: 400,
        response: invalid({ username: ['REQUIRED'], password: ['REQUIRED'] }),
      },
    ]),
  },
];
