/** The embedded PostgreSQL cannot be used. The message is one line that tells the operator what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  /** The start of the service shows the message alone, without a stack. */
  readonly explained = true;
}
