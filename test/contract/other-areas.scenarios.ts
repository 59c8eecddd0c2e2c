import type { Scenario } from '../../qa/scenario';
import { refused } from './responses';

/** Paths that belong to other areas of the panel, and paths that are nowhere. */
export const OTHER_AREA_SCENARIOS: readonly Scenario[] = [
  {
    area: 'other areas',
    title: 'what is not here',
    examples: [
      {
        title: 'is not there yet',
        only: 'B',
        operation: 'GET /domains/check',
        status: 501,
        response: refused(501),
      },
    ],
  },
];
