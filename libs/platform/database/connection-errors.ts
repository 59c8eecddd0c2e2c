import { OperatorError } from '../process/settings';

/** Why a connection did not go back to its pool. */
export const LOSS_CAUSES = ['silent', 'read_only', 'standby', 'held_up', 'broken'] as const;

type LossCause = (typeof LOSS_CAUSES)[number];

const losses = new Map<LossCause, number>();

export function countLoss(cause: LossCause): void {
  losses.set(cause, connectionsLost(cause) + 1);
}

export const connectionsLost = (cause: LossCause): number => losses.get(cause) ?? 0;

/** SQLSTATE of a server that takes no writes. */
export const READ_ONLY = '25006';

/** The server is a standby: after a failover the old one may stay within reach. */
export class ReadOnlyServer extends Error {
  readonly code = READ_ONLY;

  constructor() {
    super('The database is read-only: it is a standby');
  }
}

/** An undeclared pooler would break what a session holds: locks, settings, prepared statements. */
export class PoolerNotConfigured extends OperatorError {
  constructor() {
    super(
      'DATABASE_URL leads to a pooler: set DATABASE_POOLER to session or transaction, and DATABASE_DIRECT_URL to PostgreSQL itself',
    );
  }
}

/** The message begins like the driver's own for a broken connection: both mean the same to the caller. */
export class SilentDatabase extends Error {
  constructor() {
    super('Connection terminated: the database is silent');
  }
}

/** A server that starts, stops or is away for a moment, as during a switchover. */
const PASSING_CODES = new Set([READ_ONLY, '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT']);
/** Errors that every server gives: wrong password, unknown role or database. */
const REFUSED_EVERYWHERE = /^(28...|3D...)$/;

/** Whether a retry of a refused connection may succeed, on this or another server. */
export function isPassingRefusal(error: Error, hasOtherServers: boolean): boolean {
  const { code = '' } = error as { code?: string };
  if (PASSING_CODES.has(code) || error.message === 'Connection terminated unexpectedly') return true;
  const isWait = error.message === 'timeout exceeded when trying to connect';
  return hasOtherServers && !isWait && !REFUSED_EVERYWHERE.test(code);
}
