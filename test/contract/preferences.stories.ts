import type { Story } from '../../qa/sample';
import { invalid, refused } from './answers';

const preferences = '/organisations/{organisationId}/users/{userId}/preferences';

/** What a user prefers in the panel, which Variant A has. */
export const PREFERENCE_STORIES: readonly Story[] = [
  {
    area: 'preferences',
    title: 'a user has preferences',
    only: 'A',
    needs: ['person'],
    samples: [
      {
        title: 'begin with nothing chosen',
        operation: `GET ${preferences}`,
        as: 'person',
        status: 200,
        answer: { preferences: { darkTheme: false, shortcuts: [] } },
      },
      {
        title: 'refuse other types',
        operation: `PATCH ${preferences}`,
        as: 'person',
        body: { darkTheme: 'dark', shortcuts: {} },
        status: 400,
        answer: invalid('darkTheme', 'shortcuts'),
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
        answer: {
          preferences: { darkTheme: true, shortcuts: [{ name: 'Invoices', path: '/invoices' }] },
        },
      },
      {
        title: 'are nobody else’s, not even an admin’s',
        operation: `GET ${preferences}`,
        as: 'admin',
        status: 403,
        answer: refused(403),
      },
    ],
  },
];
