import {
  adminItem,
  invalid,
  loggedIn,
  refused,
  roleRequired,
  SHORT_PASSWORD,
  userItem,
  userRecord,
} from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const users = '/organisations/{organisationId}/users';
const user = `${users}/{userId}`;
const CHANGED = {
  firstName: 'Anne',
  lastName: 'Jansen',
  fullname: 'Anne Jansen',
  language: 'fr',
  roles: ['ROLE_FINANCE', 'ROLE_APP'],
} as const;

/** Users of an organisation, and in Variant B those who come from the previous panel. */
export const USER_SCENARIOS: readonly Scenario[] = [
  scenario('users', 'a user is read and changed', { needs: ['person'] }, [
    example(
      'stands in the list with six fields',
      ['person', `GET ${users}`],
      [200, { users: [userItem()] }],
      { query: 'filter={username}' },
    ),
    example('stands in the list as csv', ['person', `GET ${users}`], [200], {
      query: 'filter={username}&format=csv',
      text: 'id,username,email,firstName,lastName,roles\r\n{userId},{username},{username},Anna,de Boer,\r\n',
    }),
    example('is read', ['person', `GET ${user}`], [200], {
      responses: { A: { user: userRecord.A() }, B: { user: userRecord.B() } },
    }),
    example(
      'needs user name and names',
      ['admin', `PATCH ${user}`, { language: 'de' }],
      [
        400,
        invalid({
          username: ['REQUIRED'],
          firstName: ['REQUIRED'],
          lastName: ['REQUIRED'],
          language: ['NOT_A_CHOICE'],
        }),
      ],
    ),
    example(
      'is changed',
      [
        'admin',
        `PATCH ${user}`,
        {
          username: '{username}',
          firstName: 'Anne',
          lastName: 'Jansen',
          language: 'fr',
          defaultRoles: 'ROLE_FINANCE,ROLE_APP',
        },
      ],
      [204],
    ),
    example('shows the change', ['admin', `GET ${user}`], [200], {
      responses: {
        A: { user: userRecord.A(CHANGED) },
        B: { user: userRecord.B(CHANGED) },
      },
    }),
    example(
      'may not change the own roles',
      [
        'person',
        `PATCH ${user}`,
        { username: '{username}', firstName: 'Anne', lastName: 'Jansen', defaultRoles: 'ROLE_MAIL' },
      ],
      [500, roleRequired],
    ),
    example(
      'does not exist in another organisation',
      ['admin', `GET ${user}`],
      [404, refused(404, 'User not found')],
      { with: { organisationId: 1 } },
    ),
  ]),
  scenario('users', 'a user is disabled, enabled and deleted', { needs: ['person'] }, [
    example(
      'refuses other words',
      ['admin', `POST ${user}/actions`, { type: 'pause' }],
      [400, invalid({ type: ['NOT_A_CHOICE'] })],
    ),
    example('is disabled', ['admin', `POST ${user}/actions`, { type: 'disable' }], [200], {
      responses: {
        A: { user: userRecord.A({ status: 'deactivated', statusCategory: 'grey' }) },
        B: { user: userRecord.B({ status: 'deactivated' }) },
      },
    }),
    example('cannot call any more', ['person', `GET ${user}`], [401, refused(401)]),
    example('is enabled', ['admin', `POST ${user}/actions`, { type: 'enable' }], [200], {
      responses: { A: { user: userRecord.A() }, B: { user: userRecord.B() } },
    }),
    example('needs a new login', ['person', 'GET /whoami'], [401, refused(401)]),
    example('is deleted', ['admin', `DELETE ${user}`], [204]),
    example('is gone', ['admin', `GET ${user}`], [404, refused(404, 'User not found')]),
    example('stands in no list', ['admin', `GET ${users}`], [200, { users: [] }], {
      query: 'filter={username}',
    }),
  ]),
  scenario('users', 'a user changes the password', { needs: ['person'] }, [
    example(
      'needs the old one',
      ['person', `POST ${user}/changepassword`, { oldPassword: 'Wr0ng-password', password: '{newPassword}' }],
      [400, invalid({ oldPassword: ['WRONG_PASSWORD'] })],
    ),
    example(
      'refuses one against the rules',
      ['person', `POST ${user}/changepassword`, { oldPassword: '{password}', password: 'with space 1-A' }],
      [400, invalid({ password: ['FORBIDDEN_CHARACTER'] })],
    ),
    example(
      'refuses one against the rules of its variant',
      ['person', `POST ${user}/changepassword`, { oldPassword: '{password}', password: 'short' }],
      [400],
      { responses: SHORT_PASSWORD },
    ),
    example(
      'changes it',
      ['person', `POST ${user}/changepassword`, { oldPassword: '{password}', password: '{newPassword}' }],
      [200],
      { responses: { A: { user: userRecord.A() }, B: { user: userRecord.B() } } },
    ),
    example(
      'logs in with the new one',
      ['nobody', 'POST /login', { username: '{username}', password: '{newPassword}' }],
      [200],
      {
        responses: { A: loggedIn.A(), B: loggedIn.B() },
      },
    ),
    example(
      'is nothing that an admin may do for a user',
      ['admin', `POST ${user}/changepassword`, { oldPassword: '{newPassword}', password: '{password}' }],
      [403, refused(403)],
    ),
  ]),
  scenario('users', 'the admin is found', {}, [
    example('lists users by name', ['admin', `GET ${users}`], [200, { users: [adminItem()] }], {
      with: { organisationId: '{adminOrganisationId}' },
      query: 'filter={adminUsername}',
    }),
  ]),
];
