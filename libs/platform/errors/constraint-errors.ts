import type { ConstraintErrors } from './api-error';

/** The constraint errors of all domains. */
export class DeclaredConstraintErrors {
  all: ConstraintErrors = {};
}
