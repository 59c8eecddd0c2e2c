import type { Scenario } from '../../qa/scenario';
import { ADMIN_ITEM, invalid, LOGIN_PERSON, PERSON, PERSON_ITEM, refused, roleRequired } from './responses';

const users = '/organisations/{organisationId}/users';
const user = `${users}/{userId}`;
const CHANGED_NAMES = {
  firstName: 'Anne',
  lastName: 'Jansen',
  fullname: 'Anne Jansen',
  language: 'fr',
} as const;

/** Users of an organisation, and in Variant B those who come from the previous panel. */
export const USER_SCENARIOS: readonly Scenario[] = [
  {
    area: 'users',
    title: 'a user is read and changed',
    needs: ['person'],
    examples: [
      {
        title: 'stands in the list with six fields',
        operation: `GET ${users}`,
        query: 'filter={username}',
        as: 'person',
        status: 200,
        response: { users: [PERSON_ITEM] },
      },
      {
        title: 'stands in the list as csv',
        operation: `GET ${users}`,
        query: 'filter={username}&format=csv',
        as: 'person',
        status: 200,
        text: 'id,username,email,firstName,lastName,roles\r\n{userId},{username},{username},Anna,de Boer,\r\n',
      },
      {
        title: 'is read',
        operation: `GET ${user}`,
        as: 'person',
        status: 200,
        responses: { A: { user: PERSON.A }, B: { user: PERSON.B } },
      },
      {
        title: 'needs user name and names',
        operation: `PATCH ${user}`,
        as: 'admin',
        body: { language: 'de' },
        status: 400,
        response: invalid({
          username: ['REQUIRED'],
          firstName: ['REQUIRED'],
          lastName: ['REQUIRED'],
          language: ['NOT_A_CHOICE'],
        }),
      },
      {
        title: 'is changed',
        operation: `PATCH ${user}`,
        as: 'admin',
        body: {
          username: '{username}',
          firstName: 'Anne',
          lastName: 'Jansen',
          language: 'fr',
          defaultRoles: 'ROLE_FINANCE,ROLE_APP',
        },
        status: 204,
      },
      {
        title: 'shows the change',
        operation: `GET ${user}`,
        as: 'admin',
        status: 200,
        responses: {
          A: { user: { ...PERSON.A, ...CHANGED_NAMES, roles: ['ROLE_FINANCE', 'ROLE_APP'] } },
          B: { user: { ...PERSON.B, ...CHANGED_NAMES, roles: ['ROLE_FINANCE', 'ROLE_APP'] } },
        },
      },
      {
        title: 'may not change the own roles',
        operation: `PATCH ${user}`,
        as: 'person',
        body: { username: '{username}', firstName: 'Anne', lastName: 'Jansen', defaultRoles: 'ROLE_MAIL' },
        status: 500,
        response: roleRequired,
      },
      {
        title: 'does not exist in another organisation',
        operation: `GET ${user}`,
        with: { organisationId: 1 },
        as: 'admin',
        status: 404,
        response: refused(404, 'User not found'),
      },
    ],
  },
  {
    area: 'users',
    title: 'a user is disabled, enabled and deleted',
    needs: ['person'],
    examples: [
      {
        title: 'refuses other words',
        operation: `POST ${user}/actions`,
        as: 'admin',
        body: { type: 'pause' },
        status: 400,
        response: invalid({ type: ['NOT_A_CHOICE'] }),
      },
      {
        title: 'is disabled',
        operation: `POST ${user}/actions`,
        as: 'admin',
        body: { type: 'disable' },
        status: 200,
        responses: {
          A: { user: { ...PERSON.A, status: 'deactivated', statusCategory: 'grey' } },
          B: { user: { ...PERSON.B, status: 'deactivated' } },
        },
      },
      {
        title: 'cannot call any more',
        operation: `GET ${user}`,
        as: 'person',
        status: 401,
        response: refused(401),
      },
      {
        title: 'is enabled',
        operation: `POST ${user}/actions`,
        as: 'admin',
        body: { type: 'enable' },
        status: 200,
        responses: { A: { user: PERSON.A }, B: { user: PERSON.B } },
      },
      {
        title: 'needs a new login',
        operation: 'GET /whoami',
        as: 'person',
        status: 401,
        response: refused(401),
      },
      { title: 'is deleted', operation: `DELETE ${user}`, as: 'admin', status: 204 },
      {
        title: 'is gone',
        operation: `GET ${user}`,
        as: 'admin',
        status: 404,
        response: refused(404, 'User not found'),
      },
      {
        title: 'stands in no list',
        operation: `GET ${users}`,
        query: 'filter={username}',
        as: 'admin',
        status: 200,
        response: { users: [] },
      },
    ],
  },
  {
    area: 'users',
    title: 'a user changes the password',
    needs: ['person'],
    examples: [
      {
        title: 'needs the old one',
        operation: `POST ${user}/changepassword`,
        as: 'person',
        body: { oldPassword: 'Wr0ng-password', password: '{newPassword}' },
        status: 400,
        response: invalid({ oldPassword: ['WRONG_PASSWORD'] }),
      },
      {
        title: 'refuses one against the rules',
        operation: `POST ${user}/changepassword`,
        as: 'person',
        body: { oldPassword: '{password}', password: 'with space 1-A' },
        status: 400,
        response: invalid({ password: ['FORBIDDEN_CHARACTER'] }),
      },
      {
        title: 'changes it',
        operation: `POST ${user}/changepassword`,
        as: 'person',
        body: { oldPassword: '{password}', password: '{newPassword}' },
        status: 200,
        responses: { A: { user: PERSON.A }, B: { user: PERSON.B } },
      },
      {
        title: 'logs in with the new one',
        operation: 'POST /login',
        body: { username: '{username}', password: '{newPassword}' },
        status: 200,
        responses: {
          A: { success: true, user: LOGIN_PERSON.A, hash: '<hash64>', hash2fa: '' },
          B: { success: true, user: LOGIN_PERSON.B, hash: '<hash64>' },
        },
      },
      {
        title: 'is nothing that an admin may do for a user',
        operation: `POST ${user}/changepassword`,
        as: 'admin',
        body: { oldPassword: '{newPassword}', password: '{password}' },
        status: 403,
        response: refused(403),
      },
    ],
  },
  {
    area: 'users',
    title: 'the admin is found',
    examples: [
      {
        title: 'lists users by name',
        operation: `GET ${users}`,
        with: { organisationId: '{adminOrganisationId}' },
        query: 'filter={adminUsername}',
        as: 'admin',
        status: 200,
        response: { users: [ADMIN_ITEM] },
      },
    ],
  },
];
