import { Injectable } from '@nestjs/common';
import { UserEvents } from '@app/lifecycle/user-events';
import { jobContext } from '@app/platform/context/work-context';
import { Transactions } from '@app/platform/database/transactions';
import { Unauthorised } from '@app/platform/errors/api-error';
import type { RequestContext } from '@app/security/context/request-context';
import type { GuessPlaces, KnownClient } from '@app/security/passwords/password-checks';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { type Bucket, countToday, Throttler } from '@app/security/throttling/throttler';
import { Clock } from './clock';
import { secretContext, verifyTotp } from './totp';
import { typedCode } from './typed-code';
import { User } from './user.entity';
import { secondFactorMissing } from './user.types';
import { acceptStep } from './user-rows';

/**
 * Maximum wrong second factors for one user in 15 minutes (rule login 43). Strangers who know the
 * password share one count, with whoever has a link. Each login, known network and known device of the user
 * has its own.
 */
const MAX_WRONG_CODES = 10;
const QUARTER_OF_AN_HOUR = 900;

/** Wrong second factors of one user in a day (UTC) until the user is told, from all clients together. */
const MAX_WRONG_CODES_A_DAY = 10;

/** A user, and the known client that sends the code. */
interface Guesser {
  readonly id: number;
  /** Undefined for a stranger. */
  readonly knownClient?: KnownClient | undefined;
}

const bucketOf = ({ id, knownClient }: Guesser): Bucket =>
  knownClient === undefined
    ? ['second factor', id]
    : [`second factor by ${knownClient.by}`, id, knownClient.of];

/** The counts of wrong second factors of a user at these places. */
export const codeBuckets = ({ userId: id, networks, deviceIds, loginIds }: GuessPlaces): Bucket[] => [
  ['second factor', id],
  ...networks.map((of): Bucket => ['second factor by network', id, of]),
  ...deviceIds.map((of): Bucket => ['second factor by device', id, String(of)]),
  ...loginIds.map((of): Bucket => ['second factor by login', id, String(of)]),
];

/** A code that matches, and the secret that it matches. */
interface RightCode {
  readonly step: number;
  readonly encryptedSecret: string;
  readonly secret: string;
}

const isWrongCode = (error: unknown): boolean =>
  error instanceof Unauthorised && error.reason === 'CODE_INVALID';

/** A user whose code is checked. */
export interface CodeOwner extends Guesser {
  readonly totpSecret: string | null;
  readonly totpLastStep: number | null;
}

/**
 * Codes that replace the authenticator's wherever a second factor is required. A domain above this one
 * implements it; `libs/service/extensions.module.ts` binds the implementation.
 */
export abstract class RecoveryCodeCheck {
  /** Whether the text has the form of a recovery code, which differs from an authenticator's. */
  abstract isRecoveryCode(text: string): boolean;

  /** Consumes the code, even if the request fails later. Throws 401 for a wrong or used code. */
  abstract use(ctx: RequestContext, userId: number, code: string): Promise<void>;
}

/** Checks the codes of authenticators under the limit on attempts. */
@Injectable()
export class CodeChecks {
  constructor(
    private readonly throttler: Throttler,
    private readonly clock: Clock,
    private readonly keyring: SecretsKeyring,
    private readonly transactions: Transactions,
    private readonly substitutes: RecoveryCodeCheck,
    private readonly events: UserEvents,
  ) {}

  /**
   * Returns the step of a right code and the secret that it matches. Throws 401 for a missing code, which
   * does not count, and for a wrong code, which counts; 429 past the limit, even for a right code. Only the
   * UPDATE that stores the step can decide whether the code was used before.
   */
  check(user: CodeOwner, typed: string | undefined): Promise<RightCode> {
    const code = typed === undefined ? undefined : typedCode(typed);
    return this.noticed(user, code, () => this.compare(user, code));
  }

  private async compare(user: CodeOwner, code: string | undefined): Promise<RightCode> {
    if (code === undefined) throw secondFactorMissing('CODE_INVALID');
    await this.count(user);
    // After PATCH enable2fa there is no secret yet, so every code is wrong.
    if (user.totpSecret === null) throw secondFactorMissing('CODE_INVALID');
    const secret = this.keyring.decrypt(user.totpSecret, secretContext(user.id));
    const accepted = verifyTotp({ secret, code, at: this.clock.now(), afterStep: user.totpLastStep });
    if (accepted === undefined) throw secondFactorMissing('CODE_INVALID');
    return { step: accepted.step, encryptedSecret: user.totpSecret, secret };
  }

  /**
   * Checks a code of the authenticator, or a recovery code unless `authenticator` is required. Consumes the
   * code, even if the request fails later.
   */
  async use(
    ctx: RequestContext,
    user: CodeOwner,
    typed: string | undefined,
    from: 'anywhere' | 'authenticator' = 'anywhere',
  ): Promise<void> {
    const code = typed === undefined ? undefined : typedCode(typed);
    const work = async (): Promise<void> => {
      if (from === 'anywhere' && code !== undefined && this.substitutes.isRecoveryCode(code)) {
        await this.count(user);
        await this.substitutes.use(ctx, user.id, code);
      } else {
        await this.useStep(ctx, user, code);
      }
    };
    // A wrong code at a link tells nothing of the password.
    await (ctx.credential?.kind === 'login_link' ? work() : this.noticed(user, code, work));
    await this.reset(user);
  }

  /** Every wrong code came after the right password, so the user is told of many in a day (rule login 59). */
  private async noticed<Result>(
    user: CodeOwner,
    code: string | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (code !== undefined && isWrongCode(error)) await this.noteWrong(user);
      throw error;
    }
  }

  /** In a transaction of its own, which the refusal of the request does not undo. */
  private async noteWrong({ id: userId }: Guesser): Promise<void> {
    await this.transactions.run(jobContext('codes.count'), async (manager) => {
      const wrong = await countToday(manager, ['wrong codes of a day', userId]);
      if (wrong !== MAX_WRONG_CODES_A_DAY) return;
      const { organisationId, username } = await manager.findOneByOrFail(User, { id: userId });
      const user = { userId, organisationId, username };
      await this.events.announce(manager, { kind: 'codesGuessed', ...user });
    });
  }

  private async useStep(ctx: RequestContext, user: CodeOwner, code: string | undefined): Promise<void> {
    const { step, encryptedSecret, secret } = await this.compare(user, code);
    const reencrypted = this.keyring.isCurrent(encryptedSecret)
      ? encryptedSecret
      : this.keyring.encrypt(secret, secretContext(user.id));
    await this.transactions.run(ctx, async (manager) => {
      const used = { step, checkedSecret: encryptedSecret, secret: reencrypted };
      if (!(await acceptStep(manager, user.id, used))) throw secondFactorMissing('CODE_INVALID');
    });
  }

  /** Counts an attempt before its check. Throws 429 past the limit. */
  private async count(guesser: Guesser): Promise<void> {
    await this.throttler.reserve([{ bucket: bucketOf(guesser), most: MAX_WRONG_CODES }], QUARTER_OF_AN_HOUR);
  }

  /** Resets the count after the first use of a right code. */
  async reset(guesser: Guesser): Promise<void> {
    await this.throttler.reset(bucketOf(guesser));
  }
}
