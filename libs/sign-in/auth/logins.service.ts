import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { networkOf } from '@app/formats/ip-address';
import { badCredentials, secondFactorMissing } from '@app/people/users/user.types';
import { replacePasswordHash } from '@app/people/users/user-rows';
import { UsersService } from '@app/people/users/users.service';
import { byKey, DatabaseReads, prepared, preparedRows } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { REQUIRED } from '@app/platform/dto/text-rules';
import { AccessDenied, Unauthorised, ValidationFailed } from '@app/platform/errors/api-error';
import { isSuspended } from '@app/security/access/access.queries';
import type { Caller } from '@app/security/access/caller';
import { CredentialLookup } from '@app/security/access/credential-lookup';
import { presentedCredential } from '@app/security/access/presented-credential';
import type { RequestContext } from '@app/security/context/request-context';
import { type KnownClient, PasswordChecks } from '@app/security/passwords/password-checks';
import { PasswordHasher } from '@app/security/passwords/password-hasher';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { AddressCountries } from './address-countries';
import { type LoggedIn, type LoginInput, type PasswordProof, unknownUsername } from './auth.types';
import {
  isNetworkTold,
  KNOWN_CLIENT_COLUMNS,
  type KnownClientColumns,
  knownClientOf,
  knownClientValues,
} from './known-clients';
import { Login } from './login.entity';
import { NewNetworkListener } from './new-network-listener';
import { RightLogins } from './right-logins';
import { type FactorUser, type PassedFactor, SecondFactorStep } from './second-factor';
import { describeUserAgent } from './user-agent';

/** A user to log in, and how the service knows the client. */
export interface UserToLogIn extends FactorUser {
  readonly organisationId: number;
  readonly customerId: number;
  /** The user is enabled, and the organisation is not suspended. */
  readonly canLogIn: boolean;
  readonly passwordHash: string;
}

/** The stored data of a user that a login needs, and how the client is known. */
export type StoredUserToLogIn = Omit<UserToLogIn, 'knownClient'> & KnownClientColumns;

/** SQL of {@link StoredUserToLogIn} for the user `u` of the organisation `o`. */
export const USER_TO_LOG_IN_COLUMNS = `u.id, u.organisation_id AS "organisationId", o.customer_id AS "customerId",
    u.enabled AND NOT ${isSuspended('o.id')} AS "canLogIn", u.password_hash AS "passwordHash",
    u.second_factor AS "secondFactor", u.totp_secret AS "totpSecret", u.totp_last_step AS "totpLastStep",
    o.required_2fa AS required,${KNOWN_CLIENT_COLUMNS}`;

/** The checked data of a user. It must still be the same when the login is issued. */
export interface CheckedUser extends Pick<UserToLogIn, 'id' | 'passwordHash' | 'secondFactor'> {
  /** The passkey of the login, if it counts as both factors. */
  readonly passkeyId?: number | null;
  /** The service key that stands for the password. */
  readonly serviceKey?: LinkingKey;
  /** The known client before this login; undefined if the request asked for no device token. */
  readonly knownClient?: KnownClient | undefined;
}

/** A service key whose link logs a user in. */
export interface LinkingKey {
  readonly id: number;
  /** For people. */
  readonly name: string;
}

interface IssuedLogin {
  readonly id: number;
  /** The network was new for the user, and the device was not trusted. */
  readonly isSomewhereNew: boolean;
}

const USER_BY_NAME = byKey(`
  SELECT ${USER_TO_LOG_IN_COLUMNS}
  FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  WHERE fold_case(u.username) = $1 AND u.deleted_at IS NULL`);

/** SQL condition: the network `k` is that of the login `issued`. */
const IS_ITS_NETWORK = `k.user_id = issued.user_id AND k.network = $8::cidr
      AND k.by_link = (issued.service_key_name IS NOT NULL)`;

/**
 * Inserts no row if the user has changed since the check. The conditions at the end see the tables as they
 * were before the statement. Only the first of concurrent logins from one new network writes the network.
 * A known one is updated: an INSERT that meets its row would use up an id with each login.
 */
const ISSUE = prepared<IssuedLogin>(`
  WITH issued AS (
    INSERT INTO logins (user_id, digest, expires_at, address, user_agent, os, browser, country, passkey_id,
      service_key_id, service_key_name)
    SELECT id, $4, now() + make_interval(secs => $5), $6, $7, $9, $10, $11, $12, $16, $15 FROM users
    WHERE id = $1 AND enabled AND deleted_at IS NULL AND password_hash = $2 AND second_factor = $3 FOR SHARE
    RETURNING id, user_id, address, user_agent, service_key_name
  ), known AS (
    UPDATE known_networks k SET last_login_at = now() FROM issued
    WHERE ${IS_ITS_NETWORK} AND k.last_login_at < now() - interval '1 day' RETURNING k.user_id
  ), added AS (
    INSERT INTO known_networks (user_id, network, by_link)
    SELECT user_id, $8::cidr, service_key_name IS NOT NULL FROM issued
    WHERE NOT EXISTS (SELECT FROM known_networks k WHERE ${IS_ITS_NETWORK})
    ON CONFLICT ON CONSTRAINT known_networks_once DO NOTHING RETURNING user_id
  )
  SELECT issued.id, EXISTS (SELECT FROM known UNION ALL SELECT FROM added) AND NOT ${isNetworkTold('issued.user_id', '$8')}
    AND NOT $13::boolean AND NOT EXISTS (SELECT FROM trusted_devices d WHERE $14::boolean AND d.user_id = issued.user_id
      AND d.address = issued.address AND d.user_agent = issued.user_agent AND d.expires_at > now() AND d.created_at < now())
    AS "isSomewhereNew"
  FROM issued`);

const DEMAND = prepared<{ required: boolean }>(
  `SELECT o.required_2fa AS required FROM users u JOIN organisations o ON o.id = u.organisation_id WHERE u.id = $1`,
);

/** Logs in and out, and finds the user of a credential. */
@Injectable()
export class LoginsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly checks: PasswordChecks,
    private readonly rightLogins: RightLogins,
    private readonly hasher: PasswordHasher,
    private readonly secondFactor: SecondFactorStep,
    private readonly users: UsersService,
    private readonly credentials: CredentialLookup,
    private readonly settings: Settings,
    private readonly countries: AddressCountries,
    private readonly listener: NewNetworkListener,
  ) {}

  /**
   * Checks the password first, so that only after a right password the response reveals
   * anything about the second factor.
   */
  async login(ctx: RequestContext, input: LoginInput): Promise<LoggedIn> {
    const user = await this.userWithPassword(ctx, input);
    const passed = await this.passSecondFactor(ctx, user, input);
    const issued = await this.rightLogins.issue(ctx, user.id, async (manager) => {
      const { hash } = await this.issue(ctx, manager, user);
      return { hash, deviceToken: await this.secondFactor.deviceTokenOf(ctx, manager, user.id, passed) };
    });
    return { user: await this.users.read(user.id), ...issued };
  }

  /** A login without a code is the first step of one with it: right so far, and no guess. */
  private async passSecondFactor(
    ctx: RequestContext,
    user: UserToLogIn,
    input: LoginInput,
  ): Promise<PassedFactor> {
    try {
      return await this.secondFactor.pass(ctx, user, input);
    } catch (error) {
      const isGuess = input.code !== undefined || input.deviceToken !== undefined;
      if (error instanceof Unauthorised && !isGuess) await this.rightLogins.passFirstStep(ctx);
      throw error;
    }
  }

  /** The user with this name and password. Throws 401, 404 or 429. */
  async userWithPassword(ctx: RequestContext, proof: PasswordProof): Promise<UserToLogIn> {
    const { username, password, deviceToken } = proof;
    // Attempts are counted by the lower-case name, and it alone is looked up. `fold_case` also folds letters
    // such as U+0130 to ASCII; otherwise each such spelling would have its own count.
    const name = username.toLowerCase();
    const presented = { address: ctx.ip, deviceToken };
    const stored = await this.queries.row<StoredUserToLogIn>(USER_BY_NAME, [
      name,
      ...knownClientValues(presented),
    ]);
    const knownClient = stored && knownClientOf(stored, presented);
    const user = stored && { ...stored, knownClient };
    const verdict = await this.checks.check({
      username: name,
      password,
      stored: user?.passwordHash,
      address: ctx.ip,
      knownClient,
    });
    if (user === undefined) throw unknownUsername(this.settings) ?? badCredentials();
    if (!verdict.matches || !user.canLogIn) throw badCredentials();
    const { id: userId, organisationId, customerId } = user;
    ctx.identify({ userId, organisationId, customerId, credential: { kind: 'password' } });
    if (!verdict.outdated) return user;
    const renewed = await this.renewHash(ctx, user, password);
    // A parallel login or password change was faster, so check against the stored hash.
    return renewed ?? this.userWithPassword(ctx, proof);
  }

  /**
   * Inserts a login and returns it with its hash, which is stored nowhere. Throws 401 if the user was
   * disabled or deleted, or got another password or second factor since the check. Those changes end logins,
   * so a login in progress must not survive them either.
   */
  async issue(
    ctx: RequestContext,
    manager: EntityManager,
    user: CheckedUser,
  ): Promise<{ readonly id: number; readonly hash: string }> {
    const hash = newSecret();
    const { os, browser } = describeUserAgent(ctx.userAgent);
    const country = this.countries.countryOf(ctx.ip);
    const network = networkOf(ctx.ip);
    const { passkeyId = null } = user;
    const [issued] = await preparedRows(manager, ISSUE, [
      user.id,
      user.passwordHash,
      user.secondFactor,
      digestOf(hash),
      this.settings.loginMaxTtl,
      ctx.ip,
      ctx.userAgent,
      network,
      os,
      browser,
      country,
      passkeyId,
      user.knownClient?.by === 'device',
      ctx.isIpOwn,
      user.serviceKey?.name ?? null,
      user.serviceKey?.id ?? null,
    ]);
    if (issued === undefined) throw badCredentials();
    if (user.secondFactor !== 'enabled' && passkeyId === null) await assertNotDemanded(manager, user.id);
    if (issued.isSomewhereNew) {
      const serviceKey = user.serviceKey?.name ?? '';
      const origin = { network, address: ctx.ip, country, os, browser, serviceKey };
      await this.listener.loggedIn(manager, { userId: user.id, loginId: issued.id, ...origin });
    }
    return { id: issued.id, hash };
  }

  /** `POST /login` without a body: the user of the credential in the `Authorization` header. */
  async current(ctx: RequestContext, authorization: string | undefined): Promise<LoggedIn> {
    const hash = presentedCredential(authorization);
    if (hash === undefined) {
      throw new ValidationFailed({ username: [REQUIRED], password: [REQUIRED] });
    }
    const row = await this.credentials.find(authorization, () => ctx.ip);
    // A service key is not the login of a user (rule keys 38).
    if (row.user_id === null) throw new AccessDenied();
    await this.rightLogins.takeBack(ctx);
    return { user: await this.users.read(row.user_id), hash, deviceToken: '' };
  }

  /** Ends the presented login. An API key stays valid. */
  async logout(caller: Caller): Promise<void> {
    const { loginId } = caller;
    if (loginId === 0) return;
    await this.transactions.run(caller, (manager) => manager.delete(Login, { id: loginId }));
  }

  /**
   * Replaces a hash of the previous panel or with a lower cost, unless the password has changed meanwhile.
   */
  private async renewHash(
    ctx: RequestContext,
    user: UserToLogIn,
    password: string,
  ): Promise<UserToLogIn | undefined> {
    const passwordHash = await this.hasher.hash(password, ctx.client);
    const isReplaced = await this.transactions.run(ctx, (manager) =>
      replacePasswordHash(manager, user.id, user.passwordHash, passwordHash),
    );
    return isReplaced ? { ...user, passwordHash } : undefined;
  }
}

/** A new demand for a second factor ends logins, so a login in progress must not survive it either. */
async function assertNotDemanded(manager: EntityManager, userId: number): Promise<void> {
  const [organisation] = await preparedRows(manager, DEMAND, [userId]);
  if (organisation?.required === true) throw secondFactorMissing('SECOND_FACTOR_REQUIRED');
}
