import type { EntityManager } from 'typeorm';
import { digestOf, newSecret } from '@app/security/secrets/digest';

/** A login of a staff member in the name of a user. */
export interface NewLoginForSupport {
  readonly userId: number;
  readonly staffId: number;
  /** The login of the staff member who begins it. When it ends, the support login ends too. */
  readonly begunWith: number;
  readonly reason: string;
  readonly minutes: number;
  /** The login may change something. */
  readonly write: boolean;
}

/** The login with its hash, which is stored nowhere. */
export interface IssuedForSupport {
  readonly id: number;
  readonly hash: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  /** `2027-01-31 23:59 UTC` */
  readonly until: string;
}

/** The user may not learn the staff member's address, so only the audit log has it. */
const INSERT = `
  INSERT INTO logins (user_id, digest, expires_at, address, staff_id, support_reason, support_write, begun_with)
  VALUES ($1, $2, now() + make_interval(mins => $3), '', $4, $5, $6, $7)
  RETURNING id, floor(extract(epoch FROM expires_at))::float8 AS "expiresAt",
    to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS until`;

/** A support login is not a login by the user, so it does not change known networks and trusted devices. */
export async function issueForSupport(
  manager: EntityManager,
  { userId, staffId, begunWith, reason, minutes, write }: NewLoginForSupport,
): Promise<IssuedForSupport> {
  const hash = newSecret();
  const values = [userId, digestOf(hash), minutes, staffId, reason, write, begunWith];
  const [login] = await manager.query<[Omit<IssuedForSupport, 'hash'>]>(INSERT, values);
  return { ...login, hash };
}
