import { invalid, loggedIn, passkeyRecord, refused } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const PASSKEYS = '/organisations/{organisationId}/users/{userId}/passkeys';

/** For a user without passkeys. */
const CREATION_OPTIONS = {
  challenge: '<hash64> as challenge',
  rp: { id: '<domain> as rpId', name: '<domain>' },
  user: { id: '<base64url> as userHandle', name: '{username}', displayName: 'Anna de Boer' },
  pubKeyCredParams: [
    { type: 'public-key', alg: -8 },
    { type: 'public-key', alg: -7 },
    { type: 'public-key', alg: -257 },
  ],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
  extensions: { credProps: true },
} as const;

const RENAMED = { name: 'old phone {unique}' } as const;

/** Passkeys, which Variant A has where the settings name their domain. */
export const PASSKEY_SCENARIOS: readonly Scenario[] = [
  scenario('passkeys', 'a user logs in with a passkey', { only: 'A', needs: ['person', 'passkeys'] }, [
    example(
      'asks for the password first',
      ['person', `POST ${PASSKEYS}/options`],
      [400, invalid({ password: ['REQUIRED'] })],
    ),
    example(
      'begins with options',
      ['person', `POST ${PASSKEYS}/options`, { password: '{password}' }],
      [200, CREATION_OPTIONS],
    ),
    example(
      'is added',
      ['person', `POST ${PASSKEYS}`, { name: 'phone {unique}', credential: '{attestation}' }],
      [201, { passkey: passkeyRecord({ id: '<id> as passkeyId' }) }],
    ),
    example(
      'is added once',
      ['person', `POST ${PASSKEYS}`, { name: 'phone {unique}', credential: '{attestation}' }],
      [400, invalid({ credential: ['INVALID_PASSKEY'] })],
    ),
    example(
      'needs a credential of a browser',
      ['person', `POST ${PASSKEYS}`, { name: 'phone' }],
      [400, invalid({ credential: ['REQUIRED'] })],
    ),
    example(
      'is followed by no other of a login that has not passed it',
      ['person', `POST ${PASSKEYS}/options`, { password: '{password}' }],
      [403, refused(403)],
    ),
    example('is listed', ['person', `GET ${PASSKEYS}`], [200, { total: 1, passkeys: [passkeyRecord()] }], {
      query: 'orderBy=dtLastUsed',
    }),
    example('is renamed', ['person', `PUT ${PASSKEYS}/{passkeyId}`, { name: 'old phone {unique}' }], [204]),
    example(
      'is read by a manager',
      ['admin', `GET ${PASSKEYS}/{passkeyId}`],
      [200, { passkey: passkeyRecord(RENAMED) }],
    ),
    example(
      'is renamed by its user alone',
      ['admin', `PUT ${PASSKEYS}/{passkeyId}`, { name: 'mine' }],
      [403, refused(403)],
    ),
    example(
      'is asked for without a name of a user',
      ['nobody', 'POST /login/passkey/options'],
      [
        200,
        {
          challenge: '<hash64> as challenge',
          rpId: '<domain> as rpId',
          timeout: 300_000,
          userVerification: 'required',
        },
      ],
    ),
    example(
      'logs in',
      ['nobody', 'POST /login/passkey', { credential: '{assertion}' }],
      [200, loggedIn.A({ hash: '<hash64> as passed' })],
    ),
    example(
      'logs in once with a challenge',
      ['nobody', 'POST /login/passkey', { credential: '{assertion}' }],
      [401, refused(401, 'Bad credentials')],
    ),
    example(
      'needs a response of the authenticator to log in',
      ['nobody', 'POST /login/passkey', { credential: 'phone' }],
      [400, invalid({ credential: ['WRONG_TYPE'] })],
    ),
    example(
      'tells when it was used',
      ['person', `GET ${PASSKEYS}/{passkeyId}`],
      [200, { passkey: passkeyRecord({ ...RENAMED, dtLastUsed: '<timestamp>' }) }],
    ),
    example(
      'is not deleted by a login of its user that has not passed it',
      ['person', `DELETE ${PASSKEYS}/{passkeyId}`, { password: '{password}' }],
      [403, refused(403)],
    ),
    example(
      'is deleted by one that has',
      ['passed', `DELETE ${PASSKEYS}/{passkeyId}`, { password: '{password}' }],
      [204],
    ),
    example('is gone', ['person', `GET ${PASSKEYS}/{passkeyId}`], [404, refused(404)]),
  ]),
];

/** At a service whose clock can be moved. */
export const ENDING_CHALLENGE: Scenario = scenario(
  'expiry',
  'a challenge ends',
  { only: 'A', needs: ['clock', 'person', 'passkeys'] },
  [
    example(
      'is opened',
      ['person', `POST ${PASSKEYS}/options`, { password: '{password}' }],
      [200, CREATION_OPTIONS],
    ),
    example('five minutes pass', ['admin', 'POST /testClock', { seconds: 300 }], [204]),
    example(
      'is too old',
      ['person', `POST ${PASSKEYS}`, { name: 'phone {unique}', credential: '{attestation}' }],
      [400, invalid({ credential: ['INVALID_PASSKEY'] })],
    ),
  ],
);
