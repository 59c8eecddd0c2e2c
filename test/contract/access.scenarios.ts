import type { Json, Scenario } from '../../qa/scenario';
import { invalid, refused } from './responses';

const privilege: Json = {
  admin: 'allow',
  custadminOwn: 'allow',
  custadminBeneath: 'allow',
  finance: '',
  member: 'allow',
  granted: 'allow',
  self: '',
  apiKey: '',
};

const user: Json = {
  id: '{userId}',
  username: '{username}',
  organisationId: '{organisationId}',
  roles: [],
  standing: [],
  status2fa: 'disabled',
  required2fa: false,
};

const own: Json = {
  organisationId: '{organisationId}',
  own: true,
  beneath: false,
  links: [],
  granted: false,
  grant: null,
};

/** Why a request is let in or refused. */
export const ACCESS_SCENARIOS: readonly Scenario[] = [
  {
    area: 'access',
    title: 'an admin asks why',
    needs: ['person'],
    examples: [
      {
        title: 'tells what lets a credential in',
        operation: 'POST /access/explain',
        as: 'admin',
        body: { method: 'GET', path: '/organisations/{organisationId}/users', hash: '{person}' },
        status: 200,
        response: {
          explanation: {
            verdict: 'allow',
            status: null,
            reason: '',
            message: '',
            step: 'privilege',
            decidedBy: 'member',
            because: '<words>',
            route: {
              method: 'GET',
              path: '<words>',
              operation: 'users.list',
              publicBecause: '',
            },
            credential: {
              kind: 'login',
              id: '<id>',
              name: '',
              faults: [],
              dtExpires: '<timestamp>',
              dtLastUsed: '<timestamp>',
              readOnly: false,
              whitelist: [],
            },
            user,
            relation: own,
            privilege,
          },
        },
      },
      {
        title: 'tells what a user lacks',
        operation: 'POST /access/explain',
        as: 'admin',
        body: { method: 'DELETE', path: '/organisations/{organisationId}', userId: '{userId}' },
        status: 200,
        response: {
          explanation: {
            verdict: 'role',
            status: 500,
            reason: 'ROLE_REQUIRED',
            message: 'Insufficient role',
            step: 'privilege',
            decidedBy: 'member',
            because: '<words>',
            route: {
              method: 'DELETE',
              path: '<words>',
              operation: 'organisations.delete',
              publicBecause: '',
            },
            credential: null,
            user,
            relation: own,
            privilege: { ...(privilege as object), custadminOwn: 'role', member: 'role', granted: 'deny' },
          },
        },
      },
      {
        title: 'knows a path that is nowhere',
        operation: 'POST /access/explain',
        as: 'admin',
        body: { method: 'GET', path: '/nowhere', userId: '{userId}' },
        status: 200,
        response: {
          explanation: {
            verdict: '404',
            status: 404,
            reason: 'NOT_FOUND',
            message: '<words>',
            step: 'path',
            decidedBy: '',
            because: '<words>',
            route: null,
            credential: null,
            user,
            relation: null,
            privilege: null,
          },
        },
      },
      {
        title: 'needs method, path and whom it is about',
        operation: 'POST /access/explain',
        as: 'admin',
        body: { userId: '{userId}' },
        status: 400,
        response: invalid({ method: ['REQUIRED'], path: ['REQUIRED'] }),
      },
      {
        title: 'does not find a user who is nowhere',
        operation: 'POST /access/explain',
        as: 'admin',
        body: { method: 'GET', path: '/whoami', userId: 2_147_483_647 },
        status: 404,
        response: refused(404),
      },
      {
        title: 'is not for who manages nothing',
        operation: 'POST /access/explain',
        as: 'person',
        body: { method: 'GET', path: '/whoami', userId: '{userId}' },
        status: 500,
        response: refused(500),
      },
    ],
  },
];
