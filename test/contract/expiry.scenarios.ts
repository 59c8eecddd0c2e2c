import type { Example, Scenario } from '../../qa/scenario';
import { IDENTITY, LOGGED_IN } from './login.scenarios';
import { invalid, refused, roleRequired, SHORT_PASSWORD } from './responses';

const MINUTE = 60;
const DAY = 86_400;

/** Time passes; what ends by it has the lifetime that it has without any setting. */
const passes = (what: string, seconds: number): Example => ({
  title: `${what} pass`,
  operation: 'POST /testClock',
  as: 'admin',
  body: { seconds },
  status: 204,
});

const works = (as: string): Example => ({
  title: `is still a credential`,
  operation: 'GET /whoami',
  as,
  status: 200,
  response: IDENTITY,
});

const isOver = (as: string): Example => ({
  title: 'is a credential no more',
  operation: 'GET /whoami',
  as,
  status: 401,
  response: refused(401),
});

const credentials = { username: '{username}', password: '{password}' } as const;

const invitations = '/organisations/{organisationId}/invitations';
const registering = (password: string): Omit<Example, 'title' | 'status'> => ({
  operation: 'POST /registerInvitation/{token}',
  with: { token: '{invitationToken}' },
  body: {
    email: '{invited}',
    organisationId: '{organisationId}',
    inviationId: '{invitationId}',
    password,
  },
});

const INVITED = {
  id: '<id> as invitationId',
  firstName: 'Anna',
  lastName: 'de Boer',
  email: '<words> as invited',
  status: 'ok',
  language: 'nl',
  organisation: { id: '{organisationId}' },
  fullname: 'Anna de Boer',
} as const;

const settingPassword = (password: string): Omit<Example, 'title' | 'status'> => ({
  operation: 'POST /resetting/{token}',
  with: { token: '{resetToken}' },
  body: { password },
});

/** What ends by itself, at a service whose clock can be moved. The tokens are read before time passes. */
export const EXPIRY_SCENARIOS: readonly Scenario[] = [
  {
    area: 'expiry',
    title: 'the clock moves for admins alone',
    needs: ['clock', 'person'],
    examples: [
      {
        title: 'needs seconds',
        operation: 'POST /testClock',
        as: 'admin',
        body: {},
        status: 400,
        response: invalid({ seconds: ['REQUIRED'] }),
      },
      {
        title: 'needs a role',
        operation: 'POST /testClock',
        as: 'person',
        body: { seconds: 1 },
        status: 500,
        response: roleRequired,
      },
      {
        title: 'needs a credential',
        operation: 'POST /testClock',
        body: { seconds: 1 },
        status: 401,
        response: refused(401),
      },
    ],
  },
  {
    area: 'expiry',
    title: 'a login ends',
    needs: ['clock', 'person'],
    examples: [
      passes('six days', 6 * DAY),
      works('person'),
      passes('six days after its use', 6 * DAY),
      works('person'),
      passes('eight days after its use', 8 * DAY),
      isOver('person'),
      {
        title: 'gives way to a new one',
        operation: 'POST /login',
        body: credentials,
        status: 200,
        responses: {
          A: { ...LOGGED_IN.A, hash: '<hash64> as second' },
          B: { ...LOGGED_IN.B, hash: '<hash64> as second' },
        },
      },
      ...Array.from({ length: 4 }, () => [passes('six days', 6 * DAY), works('second')]).flat(),
      passes('thirty days after it began, whatever its use,', 6 * DAY + 1),
      isOver('second'),
    ],
  },
  {
    area: 'expiry',
    title: 'guesses are forgotten',
    needs: ['clock', 'person'],
    examples: [
      ...Array.from({ length: 10 }, () => ({
        title: 'counts a wrong password',
        operation: 'POST /login',
        body: { ...credentials, password: 'Wr0ng-password' },
        status: 401,
        response: refused(401),
      })),
      {
        title: 'refuses the right one too',
        operation: 'POST /login',
        body: credentials,
        status: 429,
        response: refused(429),
      },
      passes('fifteen minutes', 15 * MINUTE),
      {
        title: 'takes the right one again',
        operation: 'POST /login',
        body: credentials,
        status: 200,
        responses: LOGGED_IN,
      },
    ],
  },
  {
    area: 'expiry',
    title: 'an invitation ends',
    needs: ['clock', 'mail'],
    examples: [
      {
        title: 'is created',
        operation: `POST ${invitations}`,
        as: 'admin',
        body: { email: 'qa-{unique}@{mailDomain}', firstName: 'Anna', lastName: 'de Boer' },
        status: 201,
        responses: {
          A: { invitation: { ...INVITED, statusCategory: 'green' } },
          B: { invitation: INVITED },
        },
      },
      {
        title: 'can be answered',
        ...registering('short'),
        status: 400,
        responses: SHORT_PASSWORD,
      },
      passes('29 days', 29 * DAY),
      {
        title: 'is still available',
        operation: `GET ${invitations}/{invitationId}/check`,
        as: 'admin',
        status: 200,
        response: { available: true },
      },
      passes('two more days', 2 * DAY),
      {
        title: 'is available no more',
        operation: `GET ${invitations}/{invitationId}/check`,
        as: 'admin',
        status: 200,
        response: { available: false },
      },
      {
        title: 'has expired',
        ...registering('{password}'),
        status: 400,
        response: refused(400),
      },
    ],
  },
  {
    area: 'expiry',
    title: 'a recovery ends',
    needs: ['clock', 'person', 'mail'],
    examples: [
      {
        title: 'mails a link and a code',
        operation: 'POST /resetting/send_email',
        body: { username: '{username}' },
        status: 204,
      },
      {
        title: 'can set a password',
        ...settingPassword('short'),
        status: 400,
        responses: SHORT_PASSWORD,
      },
      passes('fifteen minutes', 15 * MINUTE),
      {
        title: 'takes the code no more',
        only: 'A',
        operation: 'POST /softlogin',
        body: { username: '{username}', confirmationCode: '{confirmationCode}' },
        status: 401,
        response: refused(401),
      },
      {
        title: 'can still set a password',
        ...settingPassword('short'),
        status: 400,
        responses: SHORT_PASSWORD,
      },
      passes('an hour in all', 45 * MINUTE),
      {
        title: 'has expired',
        ...settingPassword('{newPassword}'),
        status: 400,
        response: refused(400),
      },
    ],
  },
  {
    area: 'expiry',
    title: 'an API key ends',
    only: 'A',
    needs: ['clock', 'person'],
    examples: [
      {
        title: 'is created',
        operation: 'POST /organisations/{organisationId}/users/{userId}/apikeys',
        as: 'person',
        body: { name: 'robot {unique}', whitelist: [] },
        status: 200,
        response: {
          apiKey: { id: '<id>', name: 'robot {unique}', whitelist: [], hash: '<hash64> as key' },
        },
      },
      passes('364 days', 364 * DAY),
      works('key'),
      passes('two more days', 2 * DAY),
      isOver('key'),
    ],
  },
];
