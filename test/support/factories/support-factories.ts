import { digestOf, newSecret } from '@app/security/secrets/digest';
import { ApiClient } from '../service/client';
import type { ReachableService } from '../service/service';
import { countingPasskey } from './passkey-factories';
import { storeAuthenticator } from './two-factor-factories';

export interface SupportLoginOptions {
  readonly write?: boolean;
  readonly reason?: string;
}

/** Ways to give a second factor, of which the first is taken. They give the passkey of a login by it. */
const [giveFactor] = [countingPasskey, storeAuthenticator] as const;

/**
 * A support login, written straight to the database, and a client that calls with it. A staff member without
 * a second factor gets one that nobody has: without it there is no support login. The login that begins it
 * has passed the second factor.
 */
export async function makeSupportLogin(
  service: ReachableService,
  userId: number,
  staffId: number,
  { write = false, reason = 'Ticket 4711' }: SupportLoginOptions = {},
): Promise<ApiClient> {
  const secret = newSecret();
  const passkeyId = await giveFactor(service, staffId);
  await service.sql(
    `WITH begun AS (
       INSERT INTO logins (user_id, digest, address, expires_at, passkey_id)
       VALUES ($3, $6, '', now() + interval '1 day', $7) RETURNING id)
     INSERT INTO logins (user_id, digest, address, expires_at, staff_id, support_reason, support_write, begun_with)
     SELECT $1, $2, '', now() + interval '30 minutes', $3, $4, $5, id FROM begun`,
    [userId, digestOf(secret), staffId, reason, write, digestOf(newSecret()), passkeyId],
  );
  return new ApiClient(service.url, secret);
}
