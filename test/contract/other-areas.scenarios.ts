import type { Scenario } from '../../qa/scenario';
import { refused } from './responses';

const paper = { id: 1, contactId: 1, hash: 'abc' } as const;

/** Paths that belong to other areas of the panel, and paths that are nowhere. */
export const OTHER_AREA_SCENARIOS: readonly Scenario[] = [
  {
    area: 'other areas',
    title: 'what is not here',
    examples: [
      {
        title: 'is not there yet',
        operation: 'GET /downloadpdf/{id}/{contactId}/{hash}',
        with: paper,
        status: 501,
        response: refused(501),
      },
      {
        title: 'is not there yet',
        only: 'A',
        operation: 'GET /downloadxml/{id}/{contactId}/{hash}',
        with: paper,
        status: 501,
        response: refused(501),
      },
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
