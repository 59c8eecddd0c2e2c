import { Injectable } from '@nestjs/common';
import { Transactions } from '@app/platform/database/transactions';
import type { RequestContext } from '@app/security/context/request-context';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { CHALLENGE_TTL } from './passkey.types';

/** If the user has five challenges, a trigger deletes the oldest (rule passkeys 14). */
const OPEN = `
  INSERT INTO passkey_challenges (digest, user_id, expires_at)
  VALUES ($1, $2, now() + make_interval(secs => $3))`;

const USE = `
  DELETE FROM passkey_challenges
  WHERE digest = $1 AND user_id IS NOT DISTINCT FROM $2 AND expires_at > now()`;

/**
 * Challenges for authenticators. Each is valid for one response, on any node. Challenges of logins have no
 * user; the limit on calls without a credential limits their number.
 */
@Injectable()
export class PasskeyChallenges {
  constructor(private readonly transactions: Transactions) {}

  /** A new challenge, which is stored nowhere. Its hexadecimal digits are also the base64url of 48 bytes. */
  async open(ctx: RequestContext, userId: number | null): Promise<string> {
    const challenge = newSecret();
    await this.transactions.run(ctx, (manager) =>
      manager.query(OPEN, [digestOf(challenge), userId, CHALLENGE_TTL]),
    );
    return challenge;
  }

  /**
   * Consumes a challenge, even if the request fails later. False if it is not open for the user;
   * `userId` is null for logins.
   */
  async use(ctx: RequestContext, challenge: string, userId: number | null): Promise<boolean> {
    const [, used] = await this.transactions.run(ctx, (manager) =>
      manager.query<[unknown[], number]>(USE, [digestOf(challenge), userId]),
    );
    return used === 1;
  }
}
