import { limitReached, type ConstraintErrors } from '@app/core/errors/constraint-errors';

export const TEST_CLOCK_CONSTRAINT_ERRORS: ConstraintErrors = {
  test_clock_moved_at_most: limitReached('The clock of a database can be moved by 20 years in all.'),
};
