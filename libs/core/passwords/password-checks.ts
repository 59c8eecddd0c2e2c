import { Injectable } from '@nestjs/common';
import { Attempts } from '../attempts/attempts';
import { networkOf } from '../network/client-address';
import { PasswordHasher, type PasswordVerdict } from './password-hashing';

const QUARTER_OF_AN_HOUR = 900;

/** Wrong passwords within a quarter of an hour for one user name (decisions.md section 5). */
const MOST_FROM_ONE_NETWORK = 10;
const MOST_FROM_EVERYWHERE = 100;

/**
 * Checks passwords under the limit on guesses. A guess is counted when its turn to be hashed has come and
 * before it is: so 200 parallel guesses are counted one by one, and many right logins at once never look like
 * guessing.
 */
@Injectable()
export class PasswordChecks {
  constructor(
    private readonly hasher: PasswordHasher,
    private readonly attempts: Attempts,
  ) {}

  /**
   * Whether the password is right; with `stored` undefined (an unknown name) it never is, after the same work.
   * A right one resets its counter. Throws 429 past the limit, 503 when too much waits to be hashed.
   */
  async check(
    username: string,
    address: string,
    password: string,
    stored: string | undefined,
  ): Promise<PasswordVerdict> {
    const name = username.toLowerCase();
    const ofNetwork = `password:${networkOf(address)}:${name}`;
    const ofEverywhere = `password:${name}`;
    const countIt = () =>
      this.attempts.reserve(
        [
          { bucket: ofNetwork, most: MOST_FROM_ONE_NETWORK },
          { bucket: ofEverywhere, most: MOST_FROM_EVERYWHERE },
        ],
        QUARTER_OF_AN_HOUR,
      );
    if (stored === undefined) {
      await this.hasher.burn(password, countIt);
      return { matches: false, outdated: false };
    }
    const verdict = await this.hasher.verify(password, stored, countIt);
    if (verdict.matches) await this.attempts.forgive(ofNetwork, ofEverywhere);
    return verdict;
  }
}
