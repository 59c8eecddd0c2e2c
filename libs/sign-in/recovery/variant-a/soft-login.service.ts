import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '@app/config/settings';
import { networkOf } from '@app/formats/ip-address';
import { typedCode } from '@app/people/users/typed-code';
import { hasName } from '@app/people/users/unavailable-names';
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

/** How many codes of a user count: the newest ones. */
const MOST_CODES = 5;

/** A user with the codes that count. */
type UserWithCodes = StoredUserToLogIn & {
  readonly requestIds: readonly number[] | null;
  readonly codeDigests: readonly Buffer[] | null;
};

const USER_WITH_CODES = prepared(`
  SELECT ${USER_TO_LOG_IN_COLUMNS}, codes.ids AS "requestIds", codes.digests AS "codeDigests"
  FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  CROSS JOIN LATERAL (
    SELECT array_agg(newest.id ORDER BY newest.id) AS ids, array_agg(newest.code_digest ORDER BY newest.id) AS digests
    FROM (SELECT * FROM recovery_requests r WHERE r.user_id = u.id AND r.kind = 'reset' AND r.ended_at IS NULL
      ORDER BY r.id DESC LIMIT ${MOST_CODES}) newest
    WHERE newest.code_used_at IS NULL AND newest.code_expires_at > now()) codes
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
    const passed = await this.secondFactor.pass(ctx, user, input);
    const issued = await this.rightLogins.issue(ctx, user.id, async (manager) => {
      const { hash } = await this.logins.issue(ctx, manager, user);
      const used = await manager.query<unknown[]>(USE_CODE, [requestId]);
      if (used.length === 0) throw badCredentials();
      return { hash, deviceToken: await this.secondFactor.deviceTokenOf(ctx, manager, user.id, passed) };
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
    const user = await this.queries.row<UserWithCodes>(USER_WITH_CODES, [
      name,
      ...knownClientValues(presented),
    ]);
    const knownClient = user && knownClientOf(user, presented);
    const limits = limitsOf(name, ctx.ip, knownClient);
    await this.throttler.reserve(limits, QUARTER_OF_AN_HOUR);
    const ofWhom = knownClient === undefined ? [] : [knownClient.by, knownClient.of];
    const requestIds = user?.requestIds ?? [];
    // A wrong code is a try of each that counts, and of as many that are missing.
    const mayTry = await Promise.all(
      Array.from({ length: MOST_CODES }, (_, at) => {
        const id = requestIds[at];
        return this.countTry(
          id === undefined
            ? ['missing confirmation code', at, name, ...ofWhom]
            : ['confirmation code', id, ...ofWhom],
        );
      }),
    );
    const candidates = this.keyring.hmacCandidates(
      CODE_PURPOSE,
      `${user?.id ?? 0}:${typedCode(input.confirmationCode)}`,
    );
    const rightOnes = Array.from({ length: MOST_CODES }, (_, at) => {
      const stored = user?.codeDigests?.[at] ?? Buffer.alloc(32);
      return candidates.map((candidate) => timingSafeEqual(candidate, stored)).includes(true);
    });
    if (user === undefined) throw unknownUsername(this.settings) ?? badCredentials();
    const requestId = requestIds.find((_, at) => mayTry[at] === true && rightOnes[at] === true);
    if (!user.canLogIn || requestId === undefined) throw badCredentials();
    await this.throttler.reset(...limits.map(({ bucket }) => bucket));
    ctx.identify({
      userId: user.id,
      organisationId: user.organisationId,
      customerId: user.customerId,
      credential: { kind: 'confirmation_code', id: requestId },
    });
    return { user: { ...user, knownClient }, requestId };
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
