import type { Scenario } from '../../qa/scenario';
import { invalid, LOGIN_PERSON, PERSON, refused, SHORT_PASSWORD } from './responses';

/** Lost passwords. */
export const RECOVERY_SCENARIOS: readonly Scenario[] = [
  {
    area: 'recovery',
    title: 'a password is asked for',
    examples: [
      {
        title: 'needs a user name',
        operation: 'POST /resetting/send_email',
        body: {},
        status: 400,
        response: invalid({ username: ['REQUIRED'] }),
      },
      {
        title: 'does not tell that nobody has that name',
        operation: 'POST /resetting/send_email',
        body: { username: 'qa-{unique}-nobody@example.com' },
        status: 204,
      },
      {
        title: 'does not know a token that never was',
        operation: 'POST /resetting/{token}',
        with: { token: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' },
        body: { password: '{newPassword}' },
        status: 404,
        response: refused(404, 'Reset request not found'),
      },
      {
        title: 'needs user name and code',
        only: 'A',
        operation: 'POST /softlogin',
        body: {},
        status: 400,
        response: invalid({ username: ['REQUIRED'], confirmationCode: ['REQUIRED'] }),
      },
    ],
  },
  {
    area: 'recovery',
    title: 'a user recovers',
    needs: ['person', 'mail'],
    examples: [
      {
        title: 'mails a link and a code',
        operation: 'POST /resetting/send_email',
        body: { username: '{username}' },
        status: 204,
      },
      {
        title: 'refuses another code',
        only: 'A',
        operation: 'POST /softlogin',
        body: { username: '{username}', confirmationCode: 'none' },
        status: 401,
        response: refused(401),
      },
      {
        title: 'logs in with the code',
        only: 'A',
        operation: 'POST /softlogin',
        body: { username: '{username}', confirmationCode: '{confirmationCode}' },
        status: 200,
        response: { success: true, user: LOGIN_PERSON.A, hash: '<hash64>', hash2fa: '' },
      },
      {
        title: 'takes the code once',
        only: 'A',
        operation: 'POST /softlogin',
        body: { username: '{username}', confirmationCode: '{confirmationCode}' },
        status: 401,
        response: refused(401),
      },
      {
        title: 'refuses a password against the rules',
        operation: 'POST /resetting/{token}',
        with: { token: '{resetToken}' },
        body: { password: 'short' },
        status: 400,
        responses: SHORT_PASSWORD,
      },
      {
        title: 'sets the password',
        operation: 'POST /resetting/{token}',
        with: { token: '{resetToken}' },
        body: { password: '{newPassword}' },
        status: 200,
        responses: { A: { user: PERSON.A }, B: { user: PERSON.B } },
      },
      {
        title: 'takes the link once',
        operation: 'POST /resetting/{token}',
        with: { token: '{resetToken}' },
        body: { password: '{newPassword}' },
        status: 400,
        response: refused(400),
      },
    ],
  },
];
