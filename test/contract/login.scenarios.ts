import { example, type Json, type Scenario, scenario } from '../../tools/qa/scenario';
import type { PerVariant } from '../support/service/variants';
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
  scenario('login', 'a user logs in', { needs: ['person'] }, [
    example('gives the user and a hash', ['nobody', 'POST /login', credentials], [200], {
      responses: {
        A: { ...LOGGED_IN.A, hash: '<hash64> as second' },
        B: { ...LOGGED_IN.B, hash: '<hash64> as second' },
      },
    }),
    example(
      'takes an empty code and an empty device token as none',
      ['nobody', 'POST /login', { ...credentials, '6digitCode': '', '2faToken': '' }],
      [200, LOGGED_IN.A],
      { only: 'A' },
    ),
    example('tells the login of a credential without a body', ['second', 'POST /login'], [200], {
      responses: { A: { ...LOGGED_IN.A, hash: '{second}' }, B: { ...LOGGED_IN.B, hash: '{second}' } },
    }),
    example('takes Bearer before the hash', ['nobody', 'GET /whoami'], [200, IDENTITY], {
      headers: { authorization: 'Bearer {second}' },
    }),
    example('tells whose credential it is', ['second', 'GET /whoami'], [200, IDENTITY]),
    example('ends the login', ['second', 'POST /logout'], [204]),
    example('knows the ended login no more', ['second', 'GET /whoami'], [401, refused(401)]),
    example('leaves the other login alone', ['person', 'GET /whoami'], [200, IDENTITY]),
    example(
      'refuses a wrong password',
      ['nobody', 'POST /login', { username: '{username}', password: 'Wr0ng-password' }],
      [401, refused(401)],
    ),
  ]),
  scenario('login', 'nobody logs in', {}, [
    example(
      'needs user name and password',
      ['nobody', 'POST /login', { username: '', password: null }],
      [400, invalid({ username: ['REQUIRED'], password: ['REQUIRED'] })],
    ),
    example(
      'needs a body where there is no credential',
      ['nobody', 'POST /login'],
      [400, invalid({ username: ['REQUIRED'], password: ['REQUIRED'] })],
    ),
    example('refuses a credential that never was', ['nobody', 'GET /whoami'], [401, refused(401)], {
      headers: { authorization: '0000' },
    }),
    example('needs a credential to end one', ['nobody', 'POST /logout'], [401, refused(401)]),
  ]),
];
