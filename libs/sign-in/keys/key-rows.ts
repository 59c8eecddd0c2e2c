import type { EntityManager, EntityTarget } from 'typeorm';
import { fault, ValidationFailed } from '@app/platform/errors/api-error';
import { digestOf, newSecret } from '@app/security/secrets/digest';

/** Tables of keys. Each has `name`, `digest`, `whitelist`, `created_at`, `expires_at`, `rotated_at` and `told_days_left`. */
export type KeyTable = 'api_keys' | 'service_keys';

/** SELECT list of what a rotation needs of a locked key, besides the columns of its kind. */
export const ROTATED = `rotated_at IS NOT NULL AS "isRotated",
    extract(epoch FROM expires_at - created_at)::float8 AS lifetime`;

export interface Rotated {
  readonly isRotated: boolean;
  /** Original lifetime in seconds. */
  readonly lifetime: number;
}

/** When a new key ends. */
export interface KeyEnd {
  /** Unix seconds; undefined after `lifetime`. */
  readonly expiresAt: number | undefined;
  /** Seconds; undefined for the longest. */
  readonly lifetime: number | undefined;
  /** The longest time that a key lives, in seconds. */
  readonly longest: number;
}

const IS_OVER = `SELECT to_timestamp($1) <= now() AS "isOver"`;

/** Inserts a key with a new value, which the table does not hold. Checks the requested end by the clock of the database. */
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
      ? fault('TOO_SMALL', 'This value should be in the future.')
      : fault('TOO_LARGE', `This value should be at most ${longest} seconds from now.`),
  );
}

/** Lets a rotated key live on for some hours, but no longer than before. */
export const retireKey = (
  manager: EntityManager,
  table: KeyTable,
  { id, hours }: { readonly id: number; readonly hours: number },
  entity: EntityTarget<{ id: number }>,
): Promise<unknown> =>
  // Deleted at once, it does not count as one of its owner's keys.
  hours === 0
    ? manager.delete(entity, { id })
    : manager.query(
        `UPDATE ${table} SET rotated_at = now(), expires_at = least(expires_at, now() + make_interval(hours => $2))
         WHERE id = $1`,
        [id, hours],
      );
