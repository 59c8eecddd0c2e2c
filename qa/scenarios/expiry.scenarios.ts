import {
  identity,
  invalid,
  invitationRecord,
  loggedIn,
  newApiKey,
  refused,
  roleRequired,
  SHORT_PASSWORD,
} from '../responses';
import { type Example, example, type Scenario, scenario } from '../scenario';
import { ENDING_CHALLENGE } from './passkeys.scenarios';

const MINUTE = 60;
const DAY = 86_400;

/** Time passes; what ends by it has the lifetime that it has without any setting. */
const passes = (what: string, seconds: number): Example =>
  example(`${what} pass`, ['admin', 'POST /testClock', { seconds }], [204]);

const works = (as: string): Example =>
  example(`is still a credential`, [as, 'GET /whoami'], [200, identity()]);

const isOver = (as: string): Example =>
  example('is a credential no more', [as, 'GET /whoami'], [401, refused(401)]);

const credentials = { username: '{username}', password: '{password}' } as const;

const invitations = '/organisations/{organisationId}/invitations';
const registering = (password: string): Omit<Example, 'title' | 'status'> => ({
  operation: 'POST /registerInvitation/{token}',
  with: { token: '{invitationToken}' },
  body: { email: '{invited}', organisationId: '{organisationId}', inviationId: '{invitationId}', password },
});

const INVITED = { id: '<id> as invitationId', email: '<words> as invited' } as const;

const settingPassword = (password: string): Omit<Example, 'title' | 'status'> => ({
  operation: 'POST /resetting/{token}',
  with: { token: '{resetToken}' },
  body: { password },
});

/** What ends by itself, at a service whose clock can be moved. The tokens are read before time passes. */
export const EXPIRY_SCENARIOS: readonly Scenario[] = [
  scenario('expiry', 'the clock moves for admins alone', { needs: ['clock', 'person'] }, [
    example('needs seconds', ['admin', 'POST /testClock', {}], [400, invalid({ seconds: ['REQUIRED'] })]),
    example('needs a role', ['person', 'POST /testClock', { seconds: 1 }], [500, roleRequired]),
    example('needs a credential', ['nobody', 'POST /testClock', { seconds: 1 }], [401, refused(401)]),
  ]),
  scenario('expiry', 'a login ends', { needs: ['clock', 'person'] }, [
    passes('six days', 6 * DAY),
    works('person'),
    passes('six days after its use', 6 * DAY),
    works('person'),
    passes('eight days after its use', 8 * DAY),
    isOver('person'),
    example('gives way to a new one', ['nobody', 'POST /login', credentials], [200], {
      responses: {
        A: loggedIn.A({ hash: '<hash64> as second' }),
        B: loggedIn.B({ hash: '<hash64> as second' }),
      },
    }),
    ...Array.from({ length: 4 }, () => [passes('six days', 6 * DAY), works('second')]).flat(),
    passes('thirty days after it began, whatever its use,', 6 * DAY + 1),
    isOver('second'),
  ]),
  scenario('expiry', 'guesses are forgotten', { needs: ['clock', 'person'] }, [
    ...Array.from({ length: 10 }, () =>
      example(
        'counts a wrong password',
        ['nobody', 'POST /login', { ...credentials, password: 'Wr0ng-password' }],
        [401, refused(401)],
      ),
    ),
    example('refuses the right one too', ['nobody', 'POST /login', credentials], [429, refused(429)]),
    passes('fifteen minutes', 15 * MINUTE),
    example('takes the right one again', ['nobody', 'POST /login', credentials], [200], {
      responses: { A: loggedIn.A(), B: loggedIn.B() },
    }),
  ]),
  scenario('expiry', 'an invitation ends', { needs: ['clock', 'mail'] }, [
    example(
      'is created',
      [
        'admin',
        `POST ${invitations}`,
        { email: 'qa-{unique}@{mailDomain}', firstName: 'Anna', lastName: 'de Boer' },
      ],
      [201],
      {
        responses: {
          A: { invitation: invitationRecord.A(INVITED) },
          B: { invitation: invitationRecord.B(INVITED) },
        },
      },
    ),
    { title: 'can be answered', ...registering('short'), status: 400, responses: SHORT_PASSWORD },
    passes('29 days', 29 * DAY),
    example(
      'is still available',
      ['admin', `GET ${invitations}/{invitationId}/check`],
      [200, { available: true }],
    ),
    passes('two more days', 2 * DAY),
    example(
      'is available no more',
      ['admin', `GET ${invitations}/{invitationId}/check`],
      [200, { available: false }],
    ),
    { title: 'has expired', ...registering('{password}'), status: 400, response: refused(400) },
  ]),
  scenario('expiry', 'a recovery ends', { needs: ['clock', 'person', 'mail'] }, [
    example(
      'mails a link and a code',
      ['nobody', 'POST /resetting/send_email', { username: '{username}' }],
      [204],
    ),
    { title: 'can set a password', ...settingPassword('short'), status: 400, responses: SHORT_PASSWORD },
    passes('fifteen minutes', 15 * MINUTE),
    example(
      'takes the code no more',
      ['nobody', 'POST /softlogin', { username: '{username}', confirmationCode: '{confirmationCode}' }],
      [401, refused(401)],
      { only: 'A' },
    ),
    {
      title: 'can still set a password',
      ...settingPassword('short'),
      status: 400,
      responses: SHORT_PASSWORD,
    },
    passes('an hour in all', 45 * MINUTE),
    { title: 'has expired', ...settingPassword('{newPassword}'), status: 400, response: refused(400) },
  ]),
  ENDING_CHALLENGE,
  scenario('expiry', 'an API key ends', { only: 'A', needs: ['clock', 'person'] }, [
    example(
      'is created',
      [
        'person',
        'POST /organisations/{organisationId}/users/{userId}/apikeys',
        { name: 'robot {unique}', whitelist: [] },
      ],
      [200, { apiKey: newApiKey({ id: '<id>' }) }],
    ),
    passes('364 days', 364 * DAY),
    works('key'),
    passes('two more days', 2 * DAY),
    isOver('key'),
  ]),
];
