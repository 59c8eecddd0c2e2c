import { isDriverMessage } from '../errors/driver-messages';

/** Why a connection did not go back to its pool. */
export const LOSS_CAUSES = ['silent', 'read_only', 'standby', 'broken'] as const;

type LossCause = (typeof LOSS_CAUSES)[number];

const losses = new Map<LossCause, number>();

export function countLoss(cause: LossCause): void {
  losses.set(cause, connectionsLost(cause) + 1);
}

export const connectionsLost = (cause: LossCause): number => losses.get(cause) ?? 0;

/** SQLSTATE of a server that accepts no writes. */
export const READ_ONLY = '25006';

/** The server is a standby. After a failover the old server may stay reachable. */
export class ReadOnlyServer extends Error {
  readonly code = READ_ONLY;

  constructor() {
    super('The database is read-only: it is a standby');
  }
}

/** The server did not answer on this connection: SQLSTATE `connection_failure`. */
export class SilentDatabase extends Error {
  readonly code = '08006';

  constructor() {
    super('The database is silent');
  }
}

/** No connection in time: SQLSTATE `sqlclient_unable_to_establish_sqlconnection`. */
export class NoConnection extends Error {
  readonly code = '08001';

  constructor() {
    super('No connection to the database in time');
  }
}

/** The server starts, stops or is briefly away, as during a switchover. */
const PASSING_CODES = new Set([READ_ONLY, '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT']);
/** Errors that every server returns: wrong password, unknown role or database. */
const REFUSED_EVERYWHERE = /^(28...|3D...)$/;

/** Whether a retry of a refused connection may succeed, on this or another server. */
export function isPassingRefusal(error: Error, hasOtherServers: boolean): boolean {
  const { code = '', message } = error as Error & { code?: string };
  if (PASSING_CODES.has(code) || isDriverMessage(message, 'endedUnexpectedly')) return true;
  return hasOtherServers && !isDriverMessage(message, 'noConnectionInTime') && !REFUSED_EVERYWHERE.test(code);
}
