import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { networkOf } from '@app/formats/ip-address';
import { hasName } from '@app/people/users/held-names';
import { typedCode } from '@app/people/users/typed-code';
import { badCredentials } from '@app/people/users/user.types';
import { UsersService } from '@app/people/users/users.service';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { TooManyRequests } from '@app/platform/errors/api-error';
import type { RequestContext } from '@app/security/context/request-context';
import type { KnownClient } from '@app/security/passwords/password-checks';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { type Bucket, type ThrottleLimit, Throttler } from '@app/security/throttling/throttler';
import { type LoggedIn, unknownUsername } from '@app/sign-in/auth/auth.types';
import { knownClientOf, knownClientValues } from '@app/sign-in/auth/known-clients';
import {
  LoginsService,
  type StoredUserToLogIn,
  USER_TO_LOG_IN_COLUMNS,
  type UserToLogIn,
} from '@app/sign-in/auth/logins.service';
import { RightLogins } from '@app/sign-in/auth/right-logins';
import { SecondFactorStep } from '@app/sign-in/auth/second-factor';
import { CODE_PURPOSE, CODE_TTL } from '../recovery.types';
import type { SoftLoginInput } from './soft-login.shapes';

/**
 * Maximum attempts with one code (rule recovery 11): by all strangers together, and by each
 * known network and device.
 */
const MAX_TRIES = 5;

/** Maximum wrong codes for one user name in 15 minutes, as for wrong passwords. */
const MAX_FROM_ONE_NETWORK = 10;
const MAX_FROM_EVERYWHERE = 100;
const QUARTER_OF_AN_HOUR = 900;

/** A user with the open code. The columns of the code are null if there is none. */
type UserWithCode = StoredUserToLogIn & {
  readonly requestId: number | null;
  readonly codeDigest: Buffer | null;
};

const USER_WITH_CODE = prepared(`
  SELECT ${USER_TO_LOG_IN_COLUMNS}, r.id AS "requestId", r.code_digest AS "codeDigest"
  FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  LEFT JOIN recovery_requests r ON r.user_id = u.id AND r.kind = 'reset' AND r.ended_at IS NULL AND r.code_used_at IS NULL
    AND r.code_expires_at > now()
  WHERE ${hasName('u', '$1')} AND u.deleted_at IS NULL`);

const USE_CODE = `
  WITH used AS (
    UPDATE recovery_requests SET code_used_at = now()
    WHERE id = $1 AND ended_at IS NULL AND code_used_at IS NULL AND code_expires_at > now() RETURNING id
  ) SELECT id FROM used`;

/** Logs users in with the confirmation code of a recovery mail. */
@Injectable()
export class SoftLoginService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly throttler: Throttler,
    private readonly keyring: SecretsKeyring,
    private readonly logins: LoginsService,
    private readonly rightLogins: RightLogins,
    private readonly secondFactor: SecondFactorStep,
    private readonly users: UsersService,
    private readonly settings: Settings,
  ) {}

  /**
   * Throws 401 for a wrong code. As at login, the response reveals something about the second
   * factor only after a right code.
   */
  async login(ctx: RequestContext, input: SoftLoginInput): Promise<LoggedIn> {
    const { user, requestId } = await this.userWithRightCode(ctx, input);
    const trustDevice = await this.secondFactor.pass(ctx, user, input);
    const issued = await this.rightLogins.issue(ctx, user.id, async (manager) => {
      const { hash } = await this.logins.issue(ctx, manager, user);
      const used = await manager.query<unknown[]>(USE_CODE, [requestId]);
      if (used.length === 0) throw badCredentials();
      return { hash, deviceToken: await trustDevice(manager) };
    });
    return { user: await this.users.read(user.id), ...issued };
  }

  /** Does the same work whether user and code exist or not. */
  private async userWithRightCode(
    ctx: RequestContext,
    input: SoftLoginInput,
  ): Promise<{ user: UserToLogIn; requestId: number }> {
    const name = input.username.toLowerCase();
    const presented = { address: ctx.ip, deviceToken: input.deviceToken };
    const user = await this.queries.row<UserWithCode>(USER_WITH_CODE, [
      name,
      ...knownClientValues(presented),
    ]);
    const knownClient = user && knownClientOf(user, presented);
    const limits = limitsOf(name, ctx.ip, knownClient);
    await this.throttler.reserve(limits, QUARTER_OF_AN_HOUR);
    const ofWhom = knownClient === undefined ? [] : [knownClient.by, knownClient.of];
    const mayTry = await this.countTry(
      typeof user?.requestId === 'number'
        ? ['confirmation code', user.requestId, ...ofWhom]
        : ['missing confirmation code', name, ...ofWhom],
    );
    const stored = user?.codeDigest ?? Buffer.alloc(32);
    const matches = this.keyring
      .hmacCandidates(CODE_PURPOSE, `${user?.id ?? 0}:${typedCode(input.confirmationCode)}`)
      .map((candidate) => timingSafeEqual(candidate, stored))
      .includes(true);
    if (user === undefined) throw unknownUsername(this.settings) ?? badCredentials();
    if (!user.canLogIn || user.requestId === null || !mayTry || !matches) throw badCredentials();
    await this.throttler.reset(...limits.map(({ bucket }) => bucket));
    ctx.identify({
      userId: user.id,
      organisationId: user.organisationId,
      credential: { kind: 'confirmation_code', id: user.requestId },
    });
    return { user: { ...user, knownClient }, requestId: user.requestId };
  }

  /** Counts before the code is compared, so that parallel requests get no additional attempts. */
  private async countTry(bucket: Bucket): Promise<boolean> {
    try {
      await this.throttler.reserve([{ bucket, most: MAX_TRIES }], CODE_TTL);
      return true;
    } catch (error) {
      if (error instanceof TooManyRequests) return false;
      throw error;
    }
  }
}

/** The limits of an attempt, as for passwords: each known network or device has ten attempts of its own. */
function limitsOf(
  name: string,
  address: string,
  knownClient: KnownClient | undefined,
): readonly ThrottleLimit[] {
  const ofNetwork: Bucket = ['confirmation by network', networkOf(address), name];
  if (knownClient?.by === 'device') {
    const { userId, of } = knownClient;
    return [{ bucket: ['confirmation by device', userId, of], most: MAX_FROM_ONE_NETWORK }];
  }
  const own = { bucket: ofNetwork, most: MAX_FROM_ONE_NETWORK };
  if (knownClient !== undefined) return [own];
  return [own, { bucket: ['confirmation', name], most: MAX_FROM_EVERYWHERE }];
}
