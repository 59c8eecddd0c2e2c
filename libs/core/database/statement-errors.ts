/** `cached plan must not change result type`: since a migration the rows of the statement are of another type. */
const CHANGED = '0A000';
/** The connection has lost its statements (DISCARD ALL), or is another one from transaction to transaction. */
const LOST = '26000';
/** SQLSTATEs of a statement that has taken all the time it had, most of it for a lock. */
const HELD_UP: ReadonlySet<unknown> = new Set(['55P03', '57014']);

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code;

/** Whether a prepared statement, which has done nothing, would go well where it is prepared anew. */
export const isOutdated = (error: unknown): boolean => codeOf(error) === CHANGED;

/** Whether a prepared statement fails on its connection for as long as that lasts. */
export const failsForGood = (error: unknown): boolean => isOutdated(error) || codeOf(error) === LOST;

/** Whether what was sent behind the statement on the same connection has waited as long as it could. */
export const isHeldUp = (error: unknown): boolean => HELD_UP.has(codeOf(error));
