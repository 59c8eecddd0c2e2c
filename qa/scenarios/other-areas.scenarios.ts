import { refused } from '../responses';
import { example, type Scenario, scenario } from '../scenario';

/** Paths that belong to other areas of the panel, and paths that are nowhere. */
export const OTHER_AREA_SCENARIOS: readonly Scenario[] = [
  scenario('other areas', 'what is not here', {}, [
    example('is not there yet', ['nobody', 'GET /domains/check'], [501, refused(501)], { only: 'B' }),
  ]),
];
