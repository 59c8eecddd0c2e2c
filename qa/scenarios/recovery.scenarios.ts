import { invalid, loggedIn, refused, SHORT_PASSWORD, userItem, userRecord } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const NEW_NAME = '{unique}.new@{mailDomain}';

/** Lost passwords. */
export const RECOVERY_SCENARIOS: readonly Scenario[] = [
  scenario('recovery', 'a password is asked for', {}, [
    example(
      'needs a user name',
      ['nobody', 'POST /resetting/send_email', {}],
      [400, invalid({ username: ['REQUIRED'] })],
    ),
    example(
      'does not tell that nobody has that name',
      ['nobody', 'POST /resetting/send_email', { username: 'qa-{unique}-nobody@example.com' }],
      [204],
    ),
    example(
      'does not know a token that never was',
      ['nobody', 'POST /resetting/{token}', { password: '{newPassword}' }],
      [404, refused(404, 'Reset request not found')],
      { with: { token: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' } },
    ),
    example(
      'needs user name and code',
      ['nobody', 'POST /softlogin', {}],
      [400, invalid({ username: ['REQUIRED'], confirmationCode: ['REQUIRED'] })],
      { only: 'A' },
    ),
  ]),
  scenario('recovery', 'a user recovers', { needs: ['person', 'mail'] }, [
    example(
      'mails a link and a code',
      ['nobody', 'POST /resetting/send_email', { username: '{username}' }],
      [204],
    ),
    example(
      'refuses another code',
      ['nobody', 'POST /softlogin', { username: '{username}', confirmationCode: 'none' }],
      [401, refused(401)],
      { only: 'A' },
    ),
    example(
      'logs in with the code',
      ['nobody', 'POST /softlogin', { username: '{username}', confirmationCode: '{confirmationCode}' }],
      [200, loggedIn.A()],
      { only: 'A' },
    ),
    example(
      'takes the code once',
      ['nobody', 'POST /softlogin', { username: '{username}', confirmationCode: '{confirmationCode}' }],
      [401, refused(401)],
      { only: 'A' },
    ),
    example(
      'refuses a password against the rules',
      ['nobody', 'POST /resetting/{token}', { password: 'short' }],
      [400],
      { with: { token: '{resetToken}' }, responses: SHORT_PASSWORD },
    ),
    example(
      'sets the password',
      ['nobody', 'POST /resetting/{token}', { password: '{newPassword}' }],
      [200],
      {
        with: { token: '{resetToken}' },
        responses: { A: { user: userRecord.A() }, B: { user: userRecord.B() } },
      },
    ),
    example(
      'takes the link once',
      ['nobody', 'POST /resetting/{token}', { password: '{newPassword}' }],
      [400, refused(400)],
      { with: { token: '{resetToken}' } },
    ),
  ]),
  scenario('recovery', 'a user name is verified', {}, [
    example(
      'does not know a link that never was',
      ['nobody', 'POST /usernames/{token}', { password: '{password}' }],
      [404, refused(404, 'Link not found')],
      { with: { token: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' } },
    ),
  ]),
  scenario('recovery', 'a user verifies a new name', { needs: ['person', 'mail'] }, [
    example(
      'gets another name at once',
      [
        'person',
        'PATCH /organisations/{organisationId}/users/{userId}',
        { username: NEW_NAME, firstName: 'Anna', lastName: 'de Boer', password: '{password}' },
      ],
      [204],
    ),
    example(
      'shows the name',
      ['person', 'GET /organisations/{organisationId}/users'],
      [200, { users: [userItem({ username: '<words> as invited', email: NEW_NAME })] }],
      { query: `filter=${NEW_NAME}` },
    ),
    example(
      'needs the password of the account',
      ['nobody', 'POST /usernames/{token}', {}],
      [400, invalid({ password: ['REQUIRED'] })],
      { with: { token: '{invitationToken}' } },
    ),
    example(
      'refuses another password',
      ['nobody', 'POST /usernames/{token}', { password: '{newPassword}' }],
      [401, refused(401)],
      { with: { token: '{invitationToken}' } },
    ),
    example('verifies the name', ['nobody', 'POST /usernames/{token}', { password: '{password}' }], [204], {
      with: { token: '{invitationToken}' },
    }),
    example(
      'takes the link once',
      ['nobody', 'POST /usernames/{token}', { password: '{password}' }],
      [400, refused(400)],
      { with: { token: '{invitationToken}' } },
    ),
  ]),
];
