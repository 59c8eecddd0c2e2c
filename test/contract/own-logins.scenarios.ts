import type { Example, Scenario } from '../../qa/scenario';
import { LOGIN_PERSON, refused } from './responses';

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const logins = '/organisations/{organisationId}/users/{userId}/logins';

const login = {
  id: '<id>',
  dtCreated: '<timestamp>',
  dtLastUsed: '<timestamp>',
  ip: '<words>',
  country: '<text>',
  os: '<text>',
  browser: '<text>',
  current: false,
} as const;
const withFirefox = { ...login, os: 'Linux', browser: 'Firefox 140.0' } as const;

const logInAs = (name: string): Example => ({
  title: `logs in for the ${name} time`,
  operation: 'POST /login',
  headers: { 'user-agent': agent },
  body: { username: '{username}', password: '{password}' },
  status: 200,
  responses: {
    A: { success: true, user: LOGIN_PERSON.A, hash: `<hash64> as ${name}`, hash2fa: '' },
    B: { success: true, user: LOGIN_PERSON.B, hash: `<hash64> as ${name}` },
  },
});

/** Where a user is logged in. */
export const OWN_LOGIN_SCENARIOS: readonly Scenario[] = [
  {
    area: 'logins',
    title: 'a user sees its logins and ends them',
    needs: ['person'],
    examples: [
      logInAs('second'),
      {
        title: 'lists them, and tells which one is presented',
        operation: `GET ${logins}`,
        as: 'second',
        status: 200,
        response: { total: 2, logins: [login, { ...withFirefox, id: '<id> as loginId', current: true }] },
      },
      {
        title: 'shows them to a manager, who finds one by its browser',
        operation: `GET ${logins}`,
        query: 'filter=firefox',
        as: 'admin',
        status: 200,
        response: { total: 1, logins: [{ ...withFirefox, id: '{loginId}' }] },
      },
      { title: 'ends one', operation: `DELETE ${logins}/{loginId}`, as: 'person', status: 204 },
      {
        title: 'knows the ended login no more',
        operation: 'GET /whoami',
        as: 'second',
        status: 401,
        response: refused(401),
      },
      {
        title: 'finds the ended login no more',
        operation: `DELETE ${logins}/{loginId}`,
        as: 'person',
        status: 404,
        response: refused(404),
      },
      logInAs('third'),
      { title: 'ends all but the presented one', operation: `DELETE ${logins}`, as: 'third', status: 204 },
      {
        title: 'has ended the others',
        operation: 'GET /whoami',
        as: 'person',
        status: 401,
        response: refused(401),
      },
      {
        title: 'is left with the presented one',
        operation: `GET ${logins}`,
        as: 'third',
        status: 200,
        response: { total: 1, logins: [{ ...withFirefox, current: true }] },
      },
    ],
  },
];
