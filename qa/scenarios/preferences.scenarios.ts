import { invalid, preferencesRecord, refused } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

const preferences = '/organisations/{organisationId}/users/{userId}/preferences';

/** What a user prefers in the panel, which Variant A has. */
export const PREFERENCE_SCENARIOS: readonly Scenario[] = [
  scenario('preferences', 'a user has preferences', { only: 'A', needs: ['person'] }, [
    example(
      'begin with nothing chosen',
      ['person', `GET ${preferences}`],
      [200, { preferences: preferencesRecord() }],
    ),
    example(
      'refuse other types',
      ['person', `PATCH ${preferences}`, { darkTheme: 'dark', shortcuts: {} }],
      [400, invalid({ darkTheme: ['WRONG_TYPE'], shortcuts: ['WRONG_TYPE'] })],
    ),
    example(
      'are changed',
      [
        'person',
        `PATCH ${preferences}`,
        { darkTheme: true, shortcuts: [{ name: 'Invoices', path: '/invoices' }] },
      ],
      [204],
    ),
    example(
      'show the change',
      ['person', `GET ${preferences}`],
      [200, { preferences: { darkTheme: true, shortcuts: [{ name: 'Invoices', path: '/invoices' }] } }],
    ),
    example('are nobody else’s, not even an admin’s', ['admin', `GET ${preferences}`], [403, refused(403)]),
  ]),
];
