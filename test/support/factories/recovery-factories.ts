import { randomBytes } from 'node:crypto';
import { anonymous } from '../service/client';
import type { TestService } from '../service/service';
import type { MadeUser } from './factories';

/** Adds a link for a new password as a recovery mail to a name, the present one, has it, and follows it. */
export async function resetPassword(
  service: TestService,
  { id }: Pick<MadeUser, 'id'>,
  password: string,
  username?: string,
): Promise<void> {
  const token = randomBytes(32).toString('hex');
  await service.sql`INSERT INTO recovery_requests (user_id, username, token_digest, code_digest, expires_at, code_expires_at)
    SELECT id, coalesce(${username ?? null}, username), sha256(${token}::bytea), '', now() + interval '1 hour', now() FROM users WHERE id = ${id}`;
  await anonymous(service).post(`/resetting/${token}`, { password }).expect(200);
}
