import { loggedIn, loginRecord, refused } from '../responses';
import { type Example, example, type Scenario, scenario } from '../scenario';

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const logins = '/organisations/{organisationId}/users/{userId}/logins';

const WITH_FIREFOX = { os: 'Linux', browser: 'Firefox 140.0' } as const;

const logInAs = (name: string): Example =>
  example(
    `logs in for the ${name} time`,
    ['nobody', 'POST /login', { username: '{username}', password: '{password}' }],
    [200],
    {
      headers: { 'user-agent': agent },
      responses: {
        A: loggedIn.A({ hash: `<hash64> as ${name}` }),
        B: loggedIn.B({ hash: `<hash64> as ${name}` }),
      },
    },
  );

/** Where a user is logged in. */
export const OWN_LOGIN_SCENARIOS: readonly Scenario[] = [
  scenario('logins', 'a user sees its logins and ends them', { needs: ['person'] }, [
    logInAs('second'),
    example(
      'lists them, and tells which one is presented',
      ['second', `GET ${logins}`],
      [
        200,
        {
          total: 2,
          logins: [loginRecord(), loginRecord({ ...WITH_FIREFOX, id: '<id> as loginId', current: true })],
        },
      ],
    ),
    example(
      'shows them to a manager, who finds one by its browser',
      ['admin', `GET ${logins}`],
      [200, { total: 1, logins: [loginRecord({ ...WITH_FIREFOX, id: '{loginId}' })] }],
      { query: 'filter=firefox' },
    ),
    example('ends one', ['person', `DELETE ${logins}/{loginId}`], [204]),
    example('knows the ended login no more', ['second', 'GET /whoami'], [401, refused(401)]),
    example('finds the ended login no more', ['person', `DELETE ${logins}/{loginId}`], [404, refused(404)]),
    logInAs('third'),
    example('ends all but the presented one', ['third', `DELETE ${logins}`], [204]),
    example('has ended the others', ['person', 'GET /whoami'], [401, refused(401)]),
    example(
      'is left with the presented one',
      ['third', `GET ${logins}`],
      [200, { total: 1, logins: [loginRecord({ ...WITH_FIREFOX, current: true })] }],
    ),
  ]),
];
