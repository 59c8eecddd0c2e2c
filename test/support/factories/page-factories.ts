import { digestOf, newSecret } from '@app/security/secrets/digest';
import type { ReachableService } from '../service/service';

/** The token of a recovery mail to the user, written straight to the database. */
export async function makeResetToken(
  service: ReachableService,
  userId: number,
  { validFor = '1 hour' }: { readonly validFor?: string } = {},
): Promise<string> {
  const token = newSecret();
  await service.sql`INSERT INTO recovery_requests (user_id, token_digest, code_digest, expires_at, code_expires_at)
     VALUES (${userId}, ${digestOf(token)}, ${digestOf(token)}, now() + ${validFor}::interval, now())`;
  return token;
}

/** The token of a mail that restores the name of a user, written straight to the database. */
export async function makeRestorationToken(
  service: ReachableService,
  userId: number,
  formerName: string,
): Promise<string> {
  const token = newSecret();
  await service.sql`INSERT INTO name_restorations (user_id, former_name, token_digest, renamed_at, expires_at)
     VALUES (${userId}, ${formerName}, ${digestOf(token)}, now(), now() + interval '72 hours')`;
  return token;
}
