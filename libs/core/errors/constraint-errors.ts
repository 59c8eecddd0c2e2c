/** What a violated database constraint means to the client: the wire field, where one is to blame, and a sentence. */
export interface ConstraintError {
  readonly field?: string;
  readonly message: string;
  /** The stable word of the answer, where no field is to blame. */
  readonly reason?: string;
}

/** There is as much of a kind as its owner can have (decisions.md section 11, "Amounts"). */
export const limitReached = (message: string): ConstraintError => ({ message, reason: 'LIMIT_REACHED' });

/**
 * How violations of named constraints (unique, foreign key, check, or one raised by a trigger) are told. Stands in the
 * `*.errors.ts` file of the domain that owns the table, so that the rule itself stands once, in the database, and its
 * wording once, there.
 */
export type ConstraintErrors = Readonly<Record<string, ConstraintError>>;
