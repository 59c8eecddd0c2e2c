import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Acquaintance } from '@app/core/throttling/acquaintance';
import { Throttler, type Bucket } from '@app/core/throttling/throttler';
import { Clock } from '@app/core/clock/clock';
import { Transactions } from '@app/core/database/transactions';
import { SecretsKeyring } from '@app/core/secrets/encryption';
import { verifyTotp } from '@app/core/totp/totp';
import { SecondFactorMissing } from './credentials.errors';
import { acceptStep } from './second-factor-storage';
import { SubstituteCodes } from './substitute-codes';

/**
 * Wrong second factors for one user within a quarter of an hour (decisions.md section 5): of strangers who know the
 * password all together, of each network and device that the user is known by apart.
 */
const MAX_WRONG_CODES = 10;
const QUARTER_OF_AN_HOUR = 900;

/** Who shows a code of a user. */
interface Guesser {
  readonly id: number;
  /** Absent for a stranger. */
  readonly acquaintance?: Acquaintance | undefined;
}

const bucketOf = ({ id, acquaintance }: Guesser): Bucket =>
  acquaintance === undefined
    ? ['second factor', id]
    : [`second factor by ${acquaintance.by}`, id, acquaintance.of];

/** Where a user's TOTP secret lives: what its encryption is bound to. */
export const secretContext = (userId: number): string => `users.totp_secret:${userId}`;

/** A user whose code is checked. */
export interface CodeOwner extends Guesser {
  readonly totpSecret: string | null;
  readonly totpLastStep: number | null;
}

/** Checks the codes of authenticators under the limit on guesses. */
@Injectable()
export class CodeChecks implements OnApplicationBootstrap {
  private substitutes: readonly SubstituteCodes[] = [];

  constructor(
    private readonly throttler: Throttler,
    private readonly clock: Clock,
    private readonly keyring: SecretsKeyring,
    private readonly transactions: Transactions,
    private readonly discovery: DiscoveryService,
  ) {}

  onApplicationBootstrap(): void {
    this.substitutes = this.discovery.getProviders().flatMap(({ instance }): SubstituteCodes[] => {
      return instance instanceof SubstituteCodes ? [instance] : [];
    });
  }

  /**
   * The step that a right code belongs to, and the secret that it is right for. Throws 401 for a missing code, which
   * is not counted, and for a wrong one, which is; 429 past the limit, a right code included. Whether the code is used
   * for the first time only the UPDATE that stores its step can tell.
   */
  async check(
    user: CodeOwner,
    code: string | undefined,
  ): Promise<{ step: number; sealedSecret: string; secret: string }> {
    if (code === undefined) throw new SecondFactorMissing('CODE_INVALID');
    await this.count(user);
    // Set-up that was asked for by PATCH enable2fa has no secret yet: no code is right.
    if (user.totpSecret === null) throw new SecondFactorMissing('CODE_INVALID');
    const secret = this.keyring.decrypt(user.totpSecret, secretContext(user.id));
    const accepted = verifyTotp({ secret, code, at: this.clock.now(), afterStep: user.totpLastStep });
    if (accepted === undefined) throw new SecondFactorMissing('CODE_INVALID');
    return { step: accepted.step, sealedSecret: user.totpSecret, secret };
  }

  /** Checks a code of the authenticator, or one in its place, and uses it up, whatever becomes of what it was shown for. */
  async use(user: CodeOwner, code: string | undefined): Promise<void> {
    const substitute = this.substitutes.find((codes) => code !== undefined && codes.isMeant(code));
    if (code !== undefined && substitute !== undefined) {
      await this.count(user);
      await substitute.use(user.id, code);
    } else {
      await this.useStep(user, code);
    }
    await this.reset(user);
  }

  private async useStep(user: CodeOwner, code: string | undefined): Promise<void> {
    const { step, sealedSecret, secret } = await this.check(user, code);
    const reencrypted = this.keyring.isCurrent(sealedSecret)
      ? sealedSecret
      : this.keyring.encrypt(secret, secretContext(user.id));
    await this.transactions.run(async (manager) => {
      const used = { step, checkedSecret: sealedSecret, secret: reencrypted };
      if (!(await acceptStep(manager, user.id, used))) throw new SecondFactorMissing('CODE_INVALID');
    });
  }

  /** Counts a try, before it is checked; 429 past the limit. */
  private async count(guesser: Guesser): Promise<void> {
    await this.throttler.reserve([{ bucket: bucketOf(guesser), most: MAX_WRONG_CODES }], QUARTER_OF_AN_HOUR);
  }

  /** Starts the count anew after a code that was right and used for the first time. */
  async reset(guesser: Guesser): Promise<void> {
    await this.throttler.reset(bucketOf(guesser));
  }
}
