import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  ACQUAINTANCE_COLUMNS,
  acquaintanceOf,
  acquaintanceValues,
  type AcquaintanceColumns,
} from '@app/auth/acquaintances';
import { UnknownUsername } from '@app/auth/auth.errors';
import type { LoggedIn } from '@app/auth/auth.types';
import { LoginsService, type StoredUserToLogIn, type UserToLogIn } from '@app/auth/logins.service';
import { SecondFactorStep } from '@app/auth/second-factor';
import { isSuspended } from '@app/access/suspended';
import type { Client } from '@app/core/access/client';
import { identifyActor } from '@app/core/actor/actor-context';
import type { Acquaintance } from '@app/core/throttling/acquaintance';
import { Throttler, type Bucket, type ThrottleLimit } from '@app/core/throttling/throttler';
import { prepared, PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { TooManyRequests } from '@app/core/errors/api-error';
import { networkOf } from '@app/core/network/client-address';
import { SecretsKeyring } from '@app/core/secrets/encryption';
import { Settings } from '@app/core/settings/settings';
import { BadCredentials } from '@app/users/credentials.errors';
import { UsersService } from '@app/users/users.service';
import { CODE_PURPOSE, CODE_TTL } from '../recovery.types';
import type { SoftLoginInput } from './soft-login.types';

/** Tries of one code (decisions.md section 5), of strangers and of each place that the user is known by. */
const MAX_TRIES = 5;

/** Wrong codes for one user name in a quarter of an hour, whatever the code: as for wrong passwords. */
const MAX_FROM_ONE_NETWORK = 10;
const MAX_FROM_EVERYWHERE = 100;
const QUARTER_OF_AN_HOUR = 900;

/** A user with the open code; the code's columns are null where there is none. */
interface UserWithCode extends StoredUserToLogIn, AcquaintanceColumns {
  readonly requestId: number | null;
  readonly codeDigest: Buffer | null;
}

const USER_WITH_CODE = prepared(`
  SELECT u.id, u.organisation_id AS "organisationId", u.enabled AND NOT ${isSuspended('o.id')} AS "mayEnter",
    u.password_hash AS "passwordHash", u.second_factor AS "secondFactor", u.totp_secret AS "totpSecret", u.totp_last_step AS "totpLastStep", o.required_2fa AS required,
    r.id AS "requestId", r.code_digest AS "codeDigest",${ACQUAINTANCE_COLUMNS}
  FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  LEFT JOIN recovery_requests r ON r.user_id = u.id AND r.ended_at IS NULL AND r.code_used_at IS NULL
    AND r.code_expires_at > now()
  WHERE lower(u.username) = lower($1) AND u.deleted_at IS NULL`);

const USE_CODE = `
  WITH used AS (
    UPDATE recovery_requests SET code_used_at = now()
    WHERE id = $1 AND ended_at IS NULL AND code_used_at IS NULL AND code_expires_at > now() RETURNING id
  ) SELECT id FROM used`;

/** Logging in with the confirmation code of a recovery mail. */
@Injectable()
export class SoftLoginService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
    private readonly throttler: Throttler,
    private readonly keyring: SecretsKeyring,
    private readonly logins: LoginsService,
    private readonly secondFactor: SecondFactorStep,
    private readonly users: UsersService,
    private readonly settings: Settings,
  ) {}

  /** 401 for a wrong code; as at login, only after a right one does an answer tell about the second factor. */
  async login(input: SoftLoginInput, client: Client): Promise<LoggedIn> {
    const { user, requestId } = await this.userWithRightCode(input, client);
    const trustDevice = await this.secondFactor.pass(user, input, client);
    const issued = await this.transactions.run(async (manager) => {
      const hash = await this.logins.issue(manager, user, client);
      const used = await manager.query<unknown[]>(USE_CODE, [requestId]);
      if (used.length === 0) throw new BadCredentials();
      return { hash, deviceToken: await trustDevice(manager) };
    });
    return { user: await this.users.read(user.id), ...issued };
  }

  /** The same work whether there is such a user, such a code, or neither. */
  private async userWithRightCode(
    input: SoftLoginInput,
    client: Client,
  ): Promise<{ user: UserToLogIn; requestId: number }> {
    const name = input.username.toLowerCase();
    const presented = { address: client.address, deviceToken: input.deviceToken };
    const user = await this.queries.row<UserWithCode>(USER_WITH_CODE, [
      name,
      ...acquaintanceValues(presented),
    ]);
    const acquaintance = user && acquaintanceOf(user, presented);
    const limits = limitsOf(name, client.address, acquaintance);
    await this.throttler.reserve(limits, QUARTER_OF_AN_HOUR);
    const ofWhom = acquaintance === undefined ? [] : [acquaintance.by, acquaintance.of];
    const mayTry = await this.countTry(
      typeof user?.requestId === 'number'
        ? ['confirmation code', user.requestId, ...ofWhom]
        : ['missing confirmation code', name, ...ofWhom],
    );
    const stored = user?.codeDigest ?? Buffer.alloc(32);
    const matches = this.keyring
      .hmacCandidates(CODE_PURPOSE, `${user?.id ?? 0}:${input.confirmationCode.trim()}`)
      .map((candidate) => timingSafeEqual(candidate, stored))
      .includes(true);
    if (user === undefined && !this.settings.hideUnknownUsernames) throw new UnknownUsername();
    if (!user?.mayEnter || user.requestId === null || !mayTry || !matches) throw new BadCredentials();
    await this.throttler.reset(...limits.map(({ bucket }) => bucket));
    identifyActor({ userId: user.id, credentialKind: 'confirmation_code', credentialId: user.requestId });
    return { user: { ...user, acquaintance }, requestId: user.requestId };
  }

  /** Counted before the code is compared, so that parallel guesses get no more tries than others. */
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

/** What a try is counted under, as guesses of passwords are: a place that the user is known by has ten of its own. */
function limitsOf(
  name: string,
  address: string,
  acquaintance: Acquaintance | undefined,
): readonly ThrottleLimit[] {
  const ofNetwork: Bucket = ['confirmation by network', networkOf(address), name];
  if (acquaintance?.by === 'device') {
    const { userId, of } = acquaintance;
    return [{ bucket: ['confirmation by device', userId, of], most: MAX_FROM_ONE_NETWORK }];
  }
  const own = { bucket: ofNetwork, most: MAX_FROM_ONE_NETWORK };
  if (acquaintance !== undefined) return [own];
  return [own, { bucket: ['confirmation', name], most: MAX_FROM_EVERYWHERE }];
}
