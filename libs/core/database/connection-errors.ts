/** SQLSTATE of a server that takes no writes. */
export const READ_ONLY = '25006';

/** The server is a standby: after a failover the old one may stay within reach. */
export class ReadOnlyServer extends Error {
  readonly code = READ_ONLY;

  constructor() {
    super('The database is read-only: it is a standby');
  }
}

/** Nobody said so, and what stands between would break what a session holds: locks, settings, prepared statements. */
export class PoolerUntold extends Error {
  readonly explained = true;

  constructor() {
    super(
      'DATABASE_URL leads to a pooler: set DATABASE_POOLER to session or transaction, and DATABASE_DIRECT_URL to PostgreSQL itself',
    );
  }
}

/** The message begins as the driver's own of a broken connection: both mean the same to whoever waits. */
export class SilentDatabase extends Error {
  constructor() {
    super('Connection terminated: the database is silent');
  }
}

/** A server that starts, stops or is not there for the moment, as during a switchover. */
const PASSING_CODES = new Set([READ_ONLY, '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT']);
/** Codes of what another server would not change: wrong password, unknown role or database. */
const REFUSED_EVERYWHERE = /^(28...|3D...)$/;

/** Whether connecting, which failed with this error, may succeed a moment later, also with another of several servers. */
export function isPassingRefusal(error: Error, hasOtherServers: boolean): boolean {
  const { code = '' } = error as { code?: string };
  if (PASSING_CODES.has(code) || error.message === 'Connection terminated unexpectedly') return true;
  const isWait = error.message === 'timeout exceeded when trying to connect';
  return hasOtherServers && !isWait && !REFUSED_EVERYWHERE.test(code);
}
