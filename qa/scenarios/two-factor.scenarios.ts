import { invalid, loggedIn, recoveryCodeCount, refused, trustedDevice, userOfLogin } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const credentials = { username: '{username}', password: '{password}' } as const;
const ENABLED = { user: userOfLogin.A({ status2fa: 'enabled' }) };
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const TRUSTED = {
  trustedDevice: { country: '<text>', ip: '<words>', os: '<words>', browser: '<words>', userAgent: agent },
} as const;
const user = '/organisations/{organisationId}/users/{userId}';

/** Two-factor login and trusted devices, which Variant A has. */
export const TWO_FACTOR_SCENARIOS: readonly Scenario[] = [
  scenario('two-factor', 'a user sets up two-factor login', { only: 'A', needs: ['person'] }, [
    example(
      'shows a secret',
      ['nobody', 'POST /enable2faandget2fasecret', credentials],
      [200, { success: true, secret: '<base32> as secret' }],
    ),
    example(
      'refuses to log in meanwhile',
      ['nobody', 'POST /login', credentials],
      [401, refused(401, '2FA is requested')],
    ),
    example(
      'refuses a wrong password',
      ['nobody', 'POST /activate2fa', { ...credentials, password: 'Wr0ng-password', '6digitCode': '000000' }],
      [401, refused(401)],
    ),
    example(
      'refuses to go on without a code',
      ['nobody', 'POST /activate2fa', credentials],
      [401, refused(401, '6digitCode is invalid')],
    ),
    example('gives it up', ['nobody', 'POST /cancel2faActivation', credentials], [200, { success: true }]),
    example('logs in as before', ['nobody', 'POST /login', credentials], [200, loggedIn.A()]),
    example(
      'shows another secret',
      ['nobody', 'POST /enable2faandget2fasecret', credentials],
      [200, { success: true, secret: '<base32> as secret' }],
    ),
    example(
      'is switched on with a right code, and trusts the device',
      ['nobody', 'POST /activate2fa', { ...credentials, '6digitCode': '{code}', trustThisDevice: true }],
      [200, loggedIn.A({ ...ENABLED, hash: '<hash64> as person', hash2fa: '<secret> as deviceToken' })],
      { headers: { 'user-agent': agent } },
    ),
    example(
      'shows no secret once it is on',
      ['nobody', 'POST /enable2faandget2fasecret', credentials],
      [400, refused(400)],
    ),
    example(
      'is not given up once it is on',
      ['nobody', 'POST /cancel2faActivation', credentials],
      [400, refused(400)],
    ),
    example(
      'asks other devices for a code',
      ['nobody', 'POST /login', credentials],
      [401, refused(401, '6digitCode is invalid')],
    ),
    example(
      'takes the token of the device, and gives it back',
      ['nobody', 'POST /login', { ...credentials, '2faToken': '{deviceToken}' }],
      [200, loggedIn.A({ ...ENABLED, hash2fa: '{deviceToken}' })],
    ),
    example(
      'refuses another token',
      ['nobody', 'POST /login', { ...credentials, '2faToken': '{unique}' }],
      [401, refused(401, '2FA token is invalid')],
    ),
    example(
      'takes a code',
      ['nobody', 'POST /login', { ...credentials, '6digitCode': '{code}' }],
      [200, loggedIn.A(ENABLED)],
    ),
    example(
      'makes ten recovery codes, shown once',
      // The proof is read only where STEP_UP is on.
      ['person', `POST ${user}/recoverycodes`, { password: credentials.password, '6digitCode': '123456' }],
      [
        201,
        {
          recoveryCodes: {
            ...recoveryCodeCount({ left: 10, dtCreated: '<timestamp> as madeAt' }),
            codes: ['<words> as recoveryCode', ...Array<string>(9).fill('<words>')],
          },
        },
      ],
    ),
    example(
      'takes a recovery code in the place of a code',
      ['nobody', 'POST /login', { ...credentials, '6digitCode': '{recoveryCode}' }],
      [200, loggedIn.A(ENABLED)],
    ),
    example(
      'takes it once',
      ['nobody', 'POST /login', { ...credentials, '6digitCode': '{recoveryCode}' }],
      [401, refused(401, '6digitCode is invalid')],
    ),
    example(
      'tells how many recovery codes are left',
      ['admin', `GET ${user}/recoverycodes`],
      [200, { recoveryCodes: recoveryCodeCount({ left: 9, dtCreated: '{madeAt}' }) }],
    ),
    example(
      'lists the trusted device',
      ['person', `GET ${user}/token2fa`],
      [200, { total: 1, tokens2fa: [trustedDevice({ ...TRUSTED, id: '<id> as token2faId' })] }],
    ),
    example(
      'reads the trusted device',
      ['admin', `GET ${user}/token2fa/{token2faId}`],
      [200, { token2fa: trustedDevice(TRUSTED) }],
    ),
    example('ends the trust', ['person', `DELETE ${user}/token2fa/{token2faId}`], [204]),
    example(
      'does not find it any more',
      ['person', `GET ${user}/token2fa/{token2faId}`],
      [404, refused(404, 'Token not found')],
    ),
    example(
      'takes the token of that device no more',
      ['nobody', 'POST /login', { ...credentials, '2faToken': '{deviceToken}' }],
      [401, refused(401, '2FA token is invalid')],
    ),
    {
      title: 'is switched off',
      operation: `PATCH ${user}/disable2fa`,
      as: 'admin',
      // Asked of users themselves, where STEP_UP is on.
      body: { password: credentials.password, '6digitCode': '123456' },
      status: 204,
    },
    example(
      'has no recovery codes then',
      ['admin', `GET ${user}/recoverycodes`],
      [200, { recoveryCodes: recoveryCodeCount() }],
    ),
    example(
      'makes no recovery codes then',
      ['person', `POST ${user}/recoverycodes`],
      [400, refused(400, '2FA is not enabled')],
    ),
    example('logs in without a code then', ['nobody', 'POST /login', credentials], [200, loggedIn.A()]),
    example('is asked for by a manager', ['admin', `PATCH ${user}/enable2fa`], [204]),
    example(
      'refuses to log in until it is set up',
      ['nobody', 'POST /login', credentials],
      [401, refused(401, '2FA is requested')],
    ),
  ]),
  scenario(
    'two-factor',
    'nobody sets up two-factor login',
    { only: 'A' },
    ['enable2faandget2fasecret', 'activate2fa', 'cancel2faActivation'].flatMap((path) => [
      example(
        'needs user name and password',
        ['nobody', `POST /${path}`, {}],
        [400, invalid({ username: ['REQUIRED'], password: ['REQUIRED'] })],
      ),
    ]),
  ),
];
