import type { Story } from '../../qa/sample';
import { refused } from './answers';

const paper = { id: 1, contactId: 1, hash: 'abc' } as const;

/** Paths that belong to other areas of the panel, and paths that are nowhere. */
export const OTHER_AREA_STORIES: readonly Story[] = [
  {
    area: 'other areas',
    title: 'what is not here',
    samples: [
      {
        title: 'is not there yet',
        operation: 'GET /downloadpdf/{id}/{contactId}/{hash}',
        with: paper,
        status: 501,
        answer: refused(501),
      },
      {
        title: 'is not there yet',
        only: 'A',
        operation: 'GET /downloadxml/{id}/{contactId}/{hash}',
        with: paper,
        status: 501,
        answer: refused(501),
      },
      {
        title: 'is not there yet',
        only: 'B',
        operation: 'GET /domains/check',
        status: 501,
        answer: refused(501),
      },
    ],
  },
];
