import { digestOf, newSecret } from '@app/security/secrets/digest';
import { ApiClient } from '../service/client';
import type { ReachableService } from '../service/service';
import { storePasskey } from './passkey-factories';

export interface SupportLoginOptions {
  readonly write?: boolean;
  readonly reason?: string;
}

/**
 * A support login, written straight to the database, and a client that calls with it. A staff member without
 * a second factor gets a passkey that nobody has: without one there is no support login. The login that
 * begins it has passed the second factor.
 */
export async function makeSupportLogin(
  service: ReachableService,
  userId: number,
  staffId: number,
  { write = false, reason = 'Ticket 4711' }: SupportLoginOptions = {},
): Promise<ApiClient> {
  const secret = newSecret();
  const [staff] = await service.sql<{ has: boolean }>`SELECT has_second_factor(${staffId}) AS has`;
  if (staff?.has === false) await storePasskey(service, staffId);
  await service.sql(
    `WITH begun AS (
       INSERT INTO logins (user_id, digest, address, expires_at, passkey_id)
       SELECT id, $6, '', now() + interval '1 day', CASE WHEN second_factor <> 'enabled' THEN
         (SELECT min(p.id) FROM passkeys p WHERE p.user_id = u.id AND p.counts_from <= now() AND p.gone_at IS NULL) END
       FROM users u WHERE id = $3 RETURNING id)
     INSERT INTO logins (user_id, digest, address, expires_at, staff_id, support_reason, support_write, begun_with)
     SELECT $1, $2, '', now() + interval '30 minutes', $3, $4, $5, id FROM begun`,
    [userId, digestOf(secret), staffId, reason, write, digestOf(newSecret())],
  );
  return new ApiClient(service.url, secret);
}
