/**
 * A failure of another server than the database. Its code may be one of those by which an outage of the
 * database is known, such as ETIMEDOUT, so jobs and log ask for this class first.
 */
export class OtherServerFailed extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
