import type { EntityManager, EntityTarget } from 'typeorm';
import { fieldError, ValidationFailed } from '@app/platform/errors/api-error';
import { digestOf, newSecret } from '@app/security/secrets/digest';

/**
 * Tables of keys. Each has `name`, `digest`, `whitelist`, `created_at`, `expires_at`,
 * `rotated_at` and `notified_days_left`.
 */
export type KeyTable = 'api_keys' | 'service_keys';

/** SELECT list of the values that a rotation needs from a locked key, besides the columns of its kind. */
export const ROTATED = `rotated_at IS NOT NULL AS "isRotated",
    extract(epoch FROM expires_at - created_at)::float8 AS lifetime`;

export interface Rotated {
  readonly isRotated: boolean;
  /** Original lifetime in seconds. */
  readonly lifetime: number;
}

/** The end of a new key. */
export interface KeyEnd {
  /** Unix seconds. Undefined: `lifetime` after the creation. */
  readonly expiresAt: number | undefined;
  /** Seconds. Undefined: `longest`. */
  readonly lifetime: number | undefined;
  /** The maximum lifetime of a key, in seconds. */
  readonly longest: number;
}

const IS_OVER = `SELECT to_timestamp($1) <= now() AS "isOver"`;

/**
 * Inserts a key with a new value; the table holds only its digest. Checks the requested
 * end by the database's clock.
 */
export async function insertKey(
  manager: EntityManager,
  table: KeyTable,
  columns: Readonly<Record<string, unknown>>,
  { expiresAt, lifetime, longest }: KeyEnd,
): Promise<{ readonly id: number; readonly hash: string }> {
  const hash = newSecret();
  const stored = { ...columns, digest: digestOf(hash) };
  const names = Object.keys(stored);
  const [end, usual, most] = [1, 2, 3].map((place) => `$${names.length + place}`);
  const [row] = await manager.query<{ id: number }[]>(
    `INSERT INTO ${table} (${names.join(', ')}, expires_at)
     SELECT ${names.map((_, index) => `$${index + 1}`).join(', ')}, ends.at
     FROM (SELECT coalesce(to_timestamp(${end}), now() + make_interval(secs => ${usual})) AS at) ends
     WHERE ends.at > now() AND ends.at <= now() + make_interval(secs => ${most}) RETURNING id`,
    [...Object.values(stored), expiresAt ?? null, Math.min(lifetime ?? longest, longest), longest],
  );
  if (row !== undefined) return { id: row.id, hash };
  const [past] = await manager.query<{ isOver: boolean }[]>(IS_OVER, [expiresAt ?? null]);
  throw ValidationFailed.on(
    'expires',
    past?.isOver === true
      ? fieldError('TOO_SMALL', 'This value should be in the future.')
      : fieldError('TOO_LARGE', `This value should be at most ${longest} seconds from now.`),
  );
}

/** Ends a rotated key after some hours, but never later than before. */
export const retireKey = (
  manager: EntityManager,
  table: KeyTable,
  { id, hours }: { readonly id: number; readonly hours: number },
  entity: EntityTarget<{ id: number }>,
): Promise<unknown> =>
  // Deletes the key at once, so that it no longer counts against its owner's limit.
  hours === 0
    ? manager.delete(entity, { id })
    : manager.query(
        `UPDATE ${table} SET rotated_at = now(), expires_at = least(expires_at, now() + make_interval(hours => $2))
         WHERE id = $1`,
        [id, hours],
      );
