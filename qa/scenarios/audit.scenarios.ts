import { auditEntry, invalid, roleRequired } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const audit = '/organisations/{organisationId}/audit';

/** Who did what in an organisation. */
export const AUDIT_SCENARIOS: readonly Scenario[] = [
  scenario('audit', 'a manager reads who did what', { needs: ['person'], personRoles: 'ROLE_CUSTADMIN' }, [
    example(
      'changes its name',
      [
        'person',
        'PATCH /organisations/{organisationId}/users/{userId}',
        { username: '{username}', firstName: 'Anne', lastName: 'de Boer' },
      ],
      [204],
    ),
    example(
      'finds that in the log, newest first',
      ['person', `GET ${audit}`],
      [
        200,
        {
          audit: [
            auditEntry({
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
            }),
          ],
        },
      ],
      { query: 'user={userId}&kind=users&orderType=DESC&limit=1' },
    ),
    example('finds nothing before there was anything', ['person', `GET ${audit}`], [200, { audit: [] }], {
      query: 'to=1',
    }),
    example(
      'refuses what is no moment',
      ['person', `GET ${audit}`],
      [400, invalid({ from: ['INVALID_TIMESTAMP'] })],
      { query: 'from=yesterday' },
    ),
  ]),
  scenario('audit', 'who manages nothing does not', { needs: ['person'] }, [
    example('is for managers', ['person', `GET ${audit}`], [500, roleRequired]),
  ]),
];
