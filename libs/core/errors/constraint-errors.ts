import type { Fault } from './fault';
import type { AnswerReason } from './reasons';

/** What a violated database constraint means to the client: a fault of a wire field, or one of the whole request. */
export type ConstraintError =
  | (Fault & { readonly field: string })
  | { readonly field?: undefined; readonly message: string; readonly reason: AnswerReason };

/** There is as much of a kind as its owner can have (decisions.md section 11, "Amounts"). */
export const limitReached = (message: string): ConstraintError => ({ message, reason: 'LIMIT_REACHED' });

/**
 * How violations of named constraints (unique, foreign key, check, or one raised by a trigger) are told. Stands in the
 * `*.errors.ts` file of the domain that owns the table, so that the rule itself stands once, in the database, and its
 * wording once, there.
 */
export type ConstraintErrors = Readonly<Record<string, ConstraintError>>;
