import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/core/access/caller';
import type { Client } from '@app/core/access/client';
import { identifyActor } from '@app/core/actor/actor-context';
import { CredentialLookup } from '@app/access/credential-lookup';
import { isSuspended } from '@app/access/suspended';
import { presentedCredential } from '@app/core/access/presented-credential';
import { prepared, preparedRows, PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { ValidationFailed } from '@app/core/errors/api-error';
import { AddressCountries } from '@app/core/geography/address-countries';
import { networkOf } from '@app/core/network/client-address';
import { userOf } from '@app/core/passwords/hashing-origins';
import { PasswordChecks } from '@app/core/passwords/password-checks';
import { PasswordHasher } from '@app/core/passwords/password-hasher';
import { digestOf, newSecret } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import type { Acquaintance } from '@app/core/throttling/acquaintance';
import { REQUIRED } from '@app/core/wire/read-body';
import { BadCredentials, SecondFactorMissing } from '@app/users/credentials.errors';
import { replacePasswordHash } from '@app/users/password-storage';
import type { SecondFactor } from '@app/users/user.entity';
import { UsersService } from '@app/users/users.service';
import {
  ACQUAINTANCE_COLUMNS,
  acquaintanceOf,
  acquaintanceValues,
  type AcquaintanceColumns,
} from './acquaintances';
import { UnknownUsername } from './auth.errors';
import type { LoggedIn, LoginInput, PasswordProof } from './auth.types';
import { SecondFactorStep } from './second-factor';
import { describeUserAgent } from './user-agent';

/** What a login needs to know of the user behind a name. */
export interface StoredUserToLogIn {
  readonly id: number;
  readonly organisationId: number;
  /** Enabled, and of an organisation that is not suspended. */
  readonly mayEnter: boolean;
  readonly passwordHash: string;
  readonly secondFactor: SecondFactor;
  readonly totpSecret: string | null;
  readonly totpLastStep: number | null;
  readonly required: boolean;
}

/** The same of one who presents itself. */
export interface UserToLogIn extends StoredUserToLogIn {
  /** What the user is known by; undefined for a stranger. */
  readonly acquaintance: Acquaintance | undefined;
}

/** What was checked of a user before a login is issued to it. */
export type CheckedUser = Pick<UserToLogIn, 'id' | 'passwordHash' | 'secondFactor'>;

const USER_BY_NAME = prepared(`
  SELECT u.id, u.organisation_id AS "organisationId", u.enabled AND NOT ${isSuspended('o.id')} AS "mayEnter",
    u.password_hash AS "passwordHash",
    u.second_factor AS "secondFactor", u.totp_secret AS "totpSecret", u.totp_last_step AS "totpLastStep",
    o.required_2fa AS required,${ACQUAINTANCE_COLUMNS}
  FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  WHERE lower(u.username) = lower($1) AND u.deleted_at IS NULL`);

/** Writes no row for a user that is not as it was checked any more. */
const ISSUE = prepared<{ id: number }>(`
  WITH issued AS (
    INSERT INTO logins (user_id, digest, expires_at, address, user_agent, os, browser, country)
    SELECT id, $4, now() + make_interval(secs => $5), $6, $7, $9, $10, $11 FROM users
    WHERE id = $1 AND enabled AND deleted_at IS NULL AND password_hash = $2 AND second_factor = $3 FOR SHARE
    RETURNING id, user_id
  ), known AS (
    INSERT INTO known_networks AS k (user_id, network) SELECT user_id, $8::cidr FROM issued
    ON CONFLICT ON CONSTRAINT known_networks_once DO UPDATE SET last_login_at = now()
    WHERE k.last_login_at < now() - interval '1 day'
  )
  SELECT id FROM issued`);

const DEMAND = prepared<{ required: boolean }>(
  `SELECT o.required_2fa AS required FROM users u JOIN organisations o ON o.id = u.organisation_id WHERE u.id = $1`,
);

/** Logging in and out, and what a credential says of its user. */
@Injectable()
export class LoginsService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly transactions: Transactions,
    private readonly checks: PasswordChecks,
    private readonly hasher: PasswordHasher,
    private readonly secondFactor: SecondFactorStep,
    private readonly users: UsersService,
    private readonly credentials: CredentialLookup,
    private readonly settings: Settings,
    private readonly countries: AddressCountries,
  ) {}

  /** Password first; only after a right one does an answer tell anything about the second factor. */
  async login(input: LoginInput, client: Client): Promise<LoggedIn> {
    const user = await this.userWithPassword(input, client);
    const trustDevice = await this.secondFactor.pass(user, input, client);
    const issued = await this.transactions.run(async (manager) => ({
      hash: await this.issue(manager, user, client),
      deviceToken: await trustDevice(manager),
    }));
    return { user: await this.users.read(user.id), ...issued };
  }

  /** The user whose name and password these are; 401, 404 or 429 otherwise. */
  async userWithPassword(proof: PasswordProof, client: Client): Promise<UserToLogIn> {
    const { username, password, deviceToken } = proof;
    // Folded here, as where guesses are counted: PostgreSQL also folds letters such as U+0130 to ASCII, and each such
    // spelling of one name would have a count of its own.
    const name = username.toLowerCase();
    const presented = { address: client.address, deviceToken };
    const stored = await this.queries.quickRow<StoredUserToLogIn & AcquaintanceColumns>(USER_BY_NAME, [
      name,
      ...acquaintanceValues(presented),
    ]);
    const acquaintance = stored && acquaintanceOf(stored, presented);
    const user = stored && { ...stored, acquaintance };
    const verdict = await this.checks.check({
      username: name,
      password,
      stored: user?.passwordHash,
      address: client.address,
      acquaintance,
    });
    if (user === undefined) {
      throw this.settings.hideUnknownUsernames ? new BadCredentials() : new UnknownUsername();
    }
    if (!verdict.matches || !user.mayEnter) throw new BadCredentials();
    identifyActor({ userId: user.id, credentialKind: 'password' });
    if (!verdict.outdated) return user;
    const renewed = await this.renewHash(user, password);
    // Lost against a parallel login or a password change: what is stored now decides.
    return renewed ?? this.userWithPassword(proof, client);
  }

  /**
   * Writes a new login and gives its hash, which from here on only its owner has. Whoever was disabled or deleted,
   * or got another password or second factor since it was checked, gets 401: those changes end logins, and one
   * that was on its way must not survive them.
   */
  async issue(manager: EntityManager, user: CheckedUser, client: Client): Promise<string> {
    const hash = newSecret();
    const { os, browser } = describeUserAgent(client.userAgent);
    const issued = await preparedRows(manager, ISSUE, [
      user.id,
      user.passwordHash,
      user.secondFactor,
      digestOf(hash),
      this.settings.loginMaxTtl,
      client.address,
      client.userAgent,
      networkOf(client.address),
      os,
      browser,
      this.countries.countryOf(client.address),
    ]);
    if (issued.length === 0) throw new BadCredentials();
    if (user.secondFactor !== 'enabled') await assertNotDemanded(manager, user.id);
    return hash;
  }

  /** `POST /login` without a body: the login information of the credential in the `Authorization` header. */
  async current(authorization: string | undefined, { address }: Client): Promise<LoggedIn> {
    const hash = presentedCredential(authorization);
    if (hash === undefined) {
      throw new ValidationFailed({ username: [REQUIRED], password: [REQUIRED] });
    }
    const row = await this.credentials.find(authorization, () => address);
    return { user: await this.users.read(row.user_id), hash, deviceToken: '' };
  }

  /** Revokes the presented login; an API key is not affected. */
  async logout({ credential }: Caller): Promise<void> {
    if (credential.kind !== 'login') return;
    await this.transactions.run((manager) =>
      manager.query(`DELETE FROM logins WHERE id = $1`, [credential.id]),
    );
  }

  /** Replaces a hash of the previous panel, or of a lower cost, unless the password was changed meanwhile. */
  private async renewHash(user: UserToLogIn, password: string): Promise<UserToLogIn | undefined> {
    const passwordHash = await this.hasher.hash(password, userOf(user.organisationId, user.id));
    const isReplaced = await this.transactions.run((manager) =>
      replacePasswordHash(manager, user.id, user.passwordHash, passwordHash),
    );
    return isReplaced ? { ...user, passwordHash } : undefined;
  }
}

/** A demand that came while the login was on its way ended the logins of its time: this one must not survive it. */
async function assertNotDemanded(manager: EntityManager, userId: number): Promise<void> {
  const [organisation] = await preparedRows(manager, DEMAND, [userId]);
  if (organisation?.required === true) throw new SecondFactorMissing('SECOND_FACTOR_REQUIRED');
}
