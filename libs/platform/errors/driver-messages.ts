/**
 * Texts of errors that have no code. Only this file knows them: every other error is recognised by SQLSTATE, `code` or class.
 *
 * Check at an upgrade of pg, pg-pool, Express or PgBouncer: their sources still contain each text.
 */
const TEXTS = {
  /** pg-pool: all connections are in use, or none could be opened in time. */
  noConnectionInTime: /^timeout exceeded when trying to connect/,
  /** pg: the server accepted the connection and then was silent. */
  noAnswerInTime: /timeout expired|connection timeout/,
  /** pg: the server ended the connection while it was opened. */
  endedUnexpectedly: /^Connection terminated unexpectedly$/,
  /** pg and pg-pool: the connection ended, or the pool did. */
  lost: /Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end/,
  /** pg: the connection was known to be broken, so that the statement was not sent. */
  notSent: /Client has encountered a connection error|Client was closed and is not queryable/,
  /** pg: the server asks for a password, and the URL has none. */
  passwordless: /client password must be a/,
  /** PgBouncer refuses start-up parameters that PostgreSQL accepts. */
  unknownParameter: /unsupported startup parameter/,
  /** Express: the percent-encoding of a path is broken. */
  undecodablePath: /^Failed to decode param/,
};

/** Whether the text of an error is one of these. */
export const says = (message: string, ...texts: (keyof typeof TEXTS)[]): boolean =>
  texts.some((name) => TEXTS[name].test(message));
