/**
 * Texts of errors that have no code. All other errors are recognised by SQLSTATE, `code` or class.
 *
 * Check at an upgrade of pg, pg-pool, Express or PgBouncer: their sources still contain each text.
 */
const TEXTS = {
  /** pg-pool: all connections are in use, or none could be opened in time. */
  noConnectionInTime: /^timeout exceeded when trying to connect/,
  /** pg: the server accepted the connection and then sent nothing. */
  noAnswerInTime: /timeout expired|connection timeout/,
  /** pg: the server ended the connection while it was opened. */
  endedUnexpectedly: /^Connection terminated unexpectedly$/,
  /** pg and pg-pool: the connection or the pool has ended. */
  lost: /Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end/,
  /** pg: the connection was known to be broken, so the statement was not sent. */
  notSent: /Client has encountered a connection error|Client was closed and is not queryable/,
  /** pg: the server requires a password, and the URL has none. */
  passwordless: /client password must be a/,
  /** pg: the URL asks for TLS, and the server has none. */
  withoutTls: /^The server does not support SSL connections$/,
  /** PgBouncer refuses start-up parameters that PostgreSQL accepts. */
  unknownParameter: /unsupported startup parameter/,
  /** Express: the percent-encoding of a path is broken. */
  undecodablePath: /^Failed to decode param/,
};

/** Whether the text of an error is one of these. */
export const isDriverMessage = (message: string, ...texts: (keyof typeof TEXTS)[]): boolean =>
  texts.some((name) => TEXTS[name].test(message));
