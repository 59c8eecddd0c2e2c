import type { Scenario } from '../../qa/scenario';
import { invalid, refused } from './responses';

const preferences = '/organisations/{organisationId}/users/{userId}/preferences';

/** What a user prefers in the panel, which Variant A has. */
export const PREFERENCE_SCENARIOS: readonly Scenario[] = [
  {
    area: 'preferences',
    title: 'a user has preferences',
    only: 'A',
    needs: ['person'],
    examples: [
      {
        title: 'begin with nothing chosen',
        operation: `GET ${preferences}`,
        as: 'person',
        status: 200,
        response: { preferences: { darkTheme: false, shortcuts: [] } },
      },
      {
        title: 'refuse other types',
        operation: `PATCH ${preferences}`,
        as: 'person',
        body: { darkTheme: 'dark', shortcuts: {} },
        status: 400,
        response: invalid({ darkTheme: ['WRONG_TYPE'], shortcuts: ['WRONG_TYPE'] }),
      },
      {
        title: 'are changed',
        operation: `PATCH ${preferences}`,
        as: 'person',
        body: { darkTheme: true, shortcuts: [{ name: 'Invoices', path: '/invoices' }] },
        status: 204,
      },
      {
        title: 'show the change',
        operation: `GET ${preferences}`,
        as: 'person',
        status: 200,
        response: {
          preferences: { darkTheme: true, shortcuts: [{ name: 'Invoices', path: '/invoices' }] },
        },
      },
      {
        title: 'are nobody else’s, not even an admin’s',
        operation: `GET ${preferences}`,
        as: 'admin',
        status: 403,
        response: refused(403),
      },
    ],
  },
];
