import { ValidationFailed } from '@app/core/errors/api-error';
import { answerOfDatabaseError } from '@app/core/errors/sqlstate';

/** What is wrong with what was to be stored, or undefined for an error that has another cause. */
export function reasonOf(error: unknown): string | undefined {
  const answer = error instanceof ValidationFailed ? error : answerOfDatabaseError(error);
  if (answer?.status !== 400) return undefined;
  if (answer.fields === undefined) return answer.message;
  return Object.entries(answer.fields)
    .map(([name, faults]) => `${name}: ${faults.join(' ')}`)
    .join('; ');
}
