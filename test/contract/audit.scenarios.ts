import type { Scenario } from '../../qa/scenario';
import { invalid, roleRequired } from './responses';

const audit = '/organisations/{organisationId}/audit';

/** Who did what in an organisation. */
export const AUDIT_SCENARIOS: readonly Scenario[] = [
  {
    area: 'audit',
    title: 'a manager reads who did what',
    needs: ['person'],
    personRoles: 'ROLE_CUSTADMIN',
    examples: [
      {
        title: 'changes its name',
        operation: 'PATCH /organisations/{organisationId}/users/{userId}',
        as: 'person',
        body: { username: '{username}', firstName: 'Anne', lastName: 'de Boer' },
        status: 204,
      },
      {
        title: 'finds that in the log, newest first',
        operation: `GET ${audit}`,
        query: 'user={userId}&kind=users&orderType=DESC&limit=1',
        as: 'person',
        status: 200,
        response: {
          audit: [
            {
              id: '<integer>',
              dtStamp: '<timestamp>',
              actor: {
                type: 'user',
                userId: '{userId}',
                username: '{username}',
                credential: 'login',
                ip: '<words>',
              },
              change: {
                action: 'update',
                kind: 'users',
                id: '{userId}',
                organisationId: '{organisationId}',
                before: { firstName: 'Anna' },
                after: { firstName: 'Anne' },
              },
            },
          ],
        },
      },
      {
        title: 'finds nothing before there was anything',
        operation: `GET ${audit}`,
        query: 'to=1',
        as: 'person',
        status: 200,
        response: { audit: [] },
      },
      {
        title: 'refuses what is no moment',
        operation: `GET ${audit}`,
        query: 'from=yesterday',
        as: 'person',
        status: 400,
        response: invalid({ from: ['INVALID_TIMESTAMP'] }),
      },
    ],
  },
  {
    area: 'audit',
    title: 'who manages nothing does not',
    needs: ['person'],
    examples: [
      {
        title: 'is for managers',
        operation: `GET ${audit}`,
        as: 'person',
        status: 500,
        response: roleRequired,
      },
    ],
  },
];
