import { digestOf, newSecret } from '@app/security/secrets/digest';
import type { ReachableService } from '../service/service';

/** The token of a recovery mail to the user, written straight to the database. */
export async function makeResetToken(
  service: ReachableService,
  userId: number,
  { validFor = '1 hour' }: { readonly validFor?: string } = {},
): Promise<string> {
  const token = newSecret();
  await service.sql`
    INSERT INTO recovery_requests (user_id, username, token_digest, code_digest, expires_at, code_expires_at)
    SELECT id, coalesce(former_name(users), username), ${digestOf(token)}, ${digestOf(token)},
      now() + ${validFor}::interval, now()
    FROM users WHERE id = ${userId}`;
  return token;
}

/** The same of a user who has just renamed itself: the link gives the former name back. */
export async function makeFormerNameToken(
  service: ReachableService,
  userId: number,
  formerName: string,
): Promise<string> {
  await service.sql`UPDATE users SET username_verified = false, former_username = ${formerName}, renamed_at = now()
    WHERE id = ${userId}`;
  return makeResetToken(service, userId);
}
