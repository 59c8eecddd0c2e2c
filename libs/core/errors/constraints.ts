/** What a violated database constraint means to the client: the wire field, where one is to blame, and a sentence. */
export interface ConstraintFault {
  readonly field?: string;
  readonly message: string;
}

const faults = new Map<string, ConstraintFault>();

/**
 * Declares how a violation of named constraints (unique, foreign key, check, or one raised by a trigger) is
 * answered. Called by the `*.errors.ts` file of the domain that owns the table, so that the rule itself
 * stands once, in the database, and its wording once, here.
 */
export function declareConstraintFaults(declared: Readonly<Record<string, ConstraintFault>>): void {
  for (const [constraint, fault] of Object.entries(declared)) faults.set(constraint, fault);
}

/** The declared meaning of a constraint, or undefined for one that no request should be able to violate. */
export function constraintFault(constraint: string | undefined): ConstraintFault | undefined {
  return constraint === undefined ? undefined : faults.get(constraint);
}
