/**
 * A failure of another server than the database. Its code may be one of those by which an outage of the
 * database is known, such as ETIMEDOUT, so jobs and log ask for this class first.
 */
export class OtherServerFailed extends Error {
  /** @param words what a job keeps of the failure; absent: those of the cause */
  constructor(cause: unknown, words = wordsOf(cause)) {
    super(words, { cause });
  }
}

export const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
