import type { Json, Scenario } from '../../qa/scenario';
import type { PerVariant } from '../support/variants';
import { invalid, LOGIN_PERSON, refused } from './responses';

/** The response of a login, by variant. */
export const LOGGED_IN = {
  A: { success: true, user: LOGIN_PERSON.A, hash: '<hash64>', hash2fa: '' },
  B: { success: true, user: LOGIN_PERSON.B, hash: '<hash64>' },
} as const satisfies PerVariant<Json>;
const credentials = { username: '{username}', password: '{password}' } as const;

/** The response of `/whoami` for the person of a scenario. */
export const IDENTITY = {
  userId: '{userId}',
  organisationId: '{organisationId}',
  username: '{username}',
  name: 'Anna de Boer',
  email: '{username}',
} as const;

/** Login, logout and who a credential belongs to. */
export const LOGIN_SCENARIOS: readonly Scenario[] = [
  {
    area: 'login',
    title: 'a user logs in',
    needs: ['person'],
    examples: [
      {
        title: 'gives the user and a hash',
        operation: 'POST /login',
        body: credentials,
        status: 200,
        responses: {
          A: { ...LOGGED_IN.A, hash: '<hash64> as second' },
          B: { ...LOGGED_IN.B, hash: '<hash64> as second' },
        },
      },
      {
        title: 'takes an empty code and an empty device token as none',
        only: 'A',
        operation: 'POST /login',
        body: { ...credentials, '6digitCode': '', '2faToken': '' },
        status: 200,
        response: LOGGED_IN.A,
      },
      {
        title: 'tells the login of a credential without a body',
        operation: 'POST /login',
        as: 'second',
        status: 200,
        responses: { A: { ...LOGGED_IN.A, hash: '{second}' }, B: { ...LOGGED_IN.B, hash: '{second}' } },
      },
      {
        title: 'takes Bearer before the hash',
        operation: 'GET /whoami',
        headers: { authorization: 'Bearer {second}' },
        status: 200,
        response: IDENTITY,
      },
      {
        title: 'tells whose credential it is',
        operation: 'GET /whoami',
        as: 'second',
        status: 200,
        response: IDENTITY,
      },
      { title: 'ends the login', operation: 'POST /logout', as: 'second', status: 204 },
      {
        title: 'knows the ended login no more',
        operation: 'GET /whoami',
        as: 'second',
        status: 401,
        response: refused(401),
      },
      {
        title: 'leaves the other login alone',
        operation: 'GET /whoami',
        as: 'person',
        status: 200,
        response: IDENTITY,
      },
      {
        title: 'refuses a wrong password',
        operation: 'POST /login',
        body: { username: '{username}', password: 'Wr0ng-password' },
        status: 401,
        response: refused(401),
      },
    ],
  },
  {
    area: 'login',
    title: 'nobody logs in',
    examples: [
      {
        title: 'needs user name and password',
        operation: 'POST /login',
        body: { username: '', password: null },
        status: 400,
        response: invalid({ username: ['REQUIRED'], password: ['REQUIRED'] }),
      },
      {
        title: 'needs a body where there is no credential',
        operation: 'POST /login',
        status: 400,
        response: invalid({ username: ['REQUIRED'], password: ['REQUIRED'] }),
      },
      {
        title: 'refuses a credential that never was',
        operation: 'GET /whoami',
        headers: { authorization: '0000' },
        status: 401,
        response: refused(401),
      },
      {
        title: 'needs a credential to end one',
        operation: 'POST /logout',
        status: 401,
        response: refused(401),
      },
    ],
  },
];
