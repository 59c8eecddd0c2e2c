import type { Story } from '../../qa/sample';
import { invalid, LOGIN_PERSON_A, PERSON_A, PERSON_B, refused } from './answers';

/** Lost passwords. */
export const RECOVERY_STORIES: readonly Story[] = [
  {
    area: 'recovery',
    title: 'a password is asked for',
    samples: [
      {
        title: 'needs a user name',
        operation: 'POST /resetting/send_email',
        body: {},
        status: 400,
        answer: invalid('username'),
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
        answer: refused(404),
      },
      {
        title: 'needs user name and code',
        only: 'A',
        operation: 'POST /softlogin',
        body: {},
        status: 400,
        answer: invalid('username', 'confirmationCode'),
      },
    ],
  },
  {
    area: 'recovery',
    title: 'a user recovers',
    needs: ['person', 'mail'],
    samples: [
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
        answer: refused(401),
      },
      {
        title: 'logs in with the code',
        only: 'A',
        operation: 'POST /softlogin',
        body: { username: '{username}', confirmationCode: '{confirmationCode}' },
        status: 200,
        answer: { success: true, user: LOGIN_PERSON_A, hash: '<hash64>', hash2fa: '' },
      },
      {
        title: 'takes the code once',
        only: 'A',
        operation: 'POST /softlogin',
        body: { username: '{username}', confirmationCode: '{confirmationCode}' },
        status: 401,
        answer: refused(401),
      },
      {
        title: 'refuses a password against the rules',
        operation: 'POST /resetting/{token}',
        with: { token: '{resetToken}' },
        body: { password: 'short' },
        status: 400,
        answer: invalid('password'),
      },
      {
        title: 'sets the password',
        operation: 'POST /resetting/{token}',
        with: { token: '{resetToken}' },
        body: { password: '{newPassword}' },
        status: 200,
        answer: { user: PERSON_A },
        answerB: { user: PERSON_B },
      },
      {
        title: 'takes the link once',
        operation: 'POST /resetting/{token}',
        with: { token: '{resetToken}' },
        body: { password: '{newPassword}' },
        status: 400,
        answer: refused(400),
      },
    ],
  },
];
