import { identity, invalid, loggedIn, refused } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const credentials = { username: '{username}', password: '{password}' } as const;

/** Login, logout and who a credential belongs to. */
export const LOGIN_SCENARIOS: readonly Scenario[] = [
  scenario('login', 'a user logs in', { needs: ['person'] }, [
    example('gives the user and a hash', ['nobody', 'POST /login', credentials], [200], {
      responses: {
        A: loggedIn.A({ hash: '<hash64> as second' }),
        B: loggedIn.B({ hash: '<hash64> as second' }),
      },
    }),
    example(
      'takes an empty code and an empty device token as none',
      ['nobody', 'POST /login', { ...credentials, '6digitCode': '', '2faToken': '' }],
      [200, loggedIn.A()],
      { only: 'A' },
    ),
    example('tells the login of a credential without a body', ['second', 'POST /login'], [200], {
      responses: { A: loggedIn.A({ hash: '{second}' }), B: loggedIn.B({ hash: '{second}' }) },
    }),
    example('takes Bearer before the hash', ['nobody', 'GET /whoami'], [200, identity()], {
      headers: { authorization: 'Bearer {second}' },
    }),
    example('tells whose credential it is', ['second', 'GET /whoami'], [200, identity()]),
    example('ends the login', ['second', 'POST /logout'], [204]),
    example('knows the ended login no more', ['second', 'GET /whoami'], [401, refused(401)]),
    example('leaves the other login alone', ['person', 'GET /whoami'], [200, identity()]),
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
