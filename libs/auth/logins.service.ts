import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { EntityManager } from 'typeorm';
import { accessStatement } from '@app/core/access/access-query';
import type { Caller } from '@app/core/access/caller';
import type { Client } from '@app/core/access/client';
import { identifyActor } from '@app/core/audit/audit-context';
import { CredentialLookup, presentedCredential } from '@app/core/access/credential-lookup';
import { prepared, Sql } from '@app/core/database/sql';
import { Transactions } from '@app/core/database/transactions';
import { ValidationFailed } from '@app/core/errors/api-error';
import { PasswordChecks } from '@app/core/passwords/password-checks';
import { PasswordHasher } from '@app/core/passwords/password-hashing';
import { digestOf, newSecret } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import { User, type SecondFactor } from '@app/users/user.entity';
import { UsersService } from '@app/users/users.service';
import { BadCredentials, UnknownUsername } from './auth.errors';
import type { LoggedIn, LoginAttempt } from './auth.values';
import { SecondFactorStep } from './second-factor';

/** What a login needs to know of the user behind a name. */
export interface UserToLogIn {
  readonly id: number;
  readonly enabled: boolean;
  readonly passwordHash: string;
  readonly secondFactor: SecondFactor;
  readonly totpSecret: string | null;
  readonly totpLastStep: number | null;
  readonly required: boolean;
}

/** What was checked of a user before a login is issued to it. */
export type CheckedUser = Pick<UserToLogIn, 'id' | 'passwordHash' | 'secondFactor'>;

const USER_BY_NAME = prepared(`
  SELECT u.id, u.enabled, u.password_hash AS "passwordHash", u.second_factor AS "secondFactor",
    u.totp_secret AS "totpSecret", u.totp_last_step AS "totpLastStep", o.required_2fa AS required
  FROM users u JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  WHERE lower(u.username) = lower($1) AND u.deleted_at IS NULL`);

/** Writes no row for a user that is not as it was checked any more. */
const ISSUE = `
  INSERT INTO logins (user_id, digest, expires_at, address, user_agent)
  SELECT id, $4, now() + make_interval(secs => $5), $6, $7 FROM users
  WHERE id = $1 AND enabled AND deleted_at IS NULL AND password_hash = $2 AND second_factor = $3 FOR SHARE
  RETURNING id`;

/** A credential that addresses nothing: only the user behind it is asked for. */
const CALLER_ONLY = accessStatement({ organisation: false, user: false, records: [] });

/** Logging in and out, and what a credential says of its user. */
@Injectable()
export class LoginsService {
  constructor(
    private readonly sql: Sql,
    private readonly transactions: Transactions,
    private readonly checks: PasswordChecks,
    private readonly hasher: PasswordHasher,
    private readonly secondFactor: SecondFactorStep,
    private readonly users: UsersService,
    private readonly credentials: CredentialLookup,
    private readonly settings: Settings,
  ) {}

  /** Password first; only after a right one does an answer tell anything about the second factor. */
  async login(attempt: LoginAttempt, client: Client): Promise<LoggedIn> {
    const user = await this.userWithPassword(attempt.username, attempt.password, client);
    const deviceToken = await this.secondFactor.pass(user, attempt, client);
    const hash = await this.transactions.run((manager) => this.issue(manager, user, client));
    return { user: await this.users.read(user.id), hash, deviceToken };
  }

  /** The user whose name and password these are; 401, 404 or 429 otherwise. */
  async userWithPassword(username: string, password: string, client: Client): Promise<UserToLogIn> {
    // Folded here, as where guesses are counted: PostgreSQL also folds letters such as U+0130 to ASCII, and each such
    // spelling of one name would have a count of its own.
    const name = username.toLowerCase();
    const user = await this.sql.row<UserToLogIn>(USER_BY_NAME, [name]);
    const verdict = await this.checks.check(username, client.address, password, user?.passwordHash);
    if (user === undefined) {
      throw this.settings.hideUnknownUsernames ? new BadCredentials() : new UnknownUsername();
    }
    if (!verdict.matches || !user.enabled) throw new BadCredentials();
    identifyActor({ userId: user.id, credentialKind: 'password' });
    if (!verdict.outdated) return user;
    const renewed = await this.renewHash(user, password);
    // Lost against a parallel login or a password change: what is stored now decides.
    return renewed ?? this.userWithPassword(username, password, client);
  }

  /**
   * Writes a new login and gives its hash, which from here on only its owner has. Whoever was disabled or deleted,
   * or got another password or second factor since it was checked, gets 401: those changes end logins, and one
   * that was on its way must not survive them.
   */
  async issue(manager: EntityManager, user: CheckedUser, client: Client): Promise<string> {
    const hash = newSecret();
    const issued = await manager.query<unknown[]>(ISSUE, [
      user.id,
      user.passwordHash,
      user.secondFactor,
      digestOf(hash),
      this.settings.loginMaxTtl,
      client.address,
      client.userAgent,
    ]);
    if (issued.length === 0) throw new BadCredentials();
    return hash;
  }

  /** `POST /login` without a body: the login information of the credential that the request carries. */
  async current(request: Request): Promise<LoggedIn> {
    const hash = presentedCredential(request.headers.authorization);
    if (hash === undefined) {
      const missing = ['This value should not be blank.'];
      throw new ValidationFailed({ username: missing, password: missing });
    }
    const row = await this.credentials.find(request, CALLER_ONLY, []);
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
    const passwordHash = await this.hasher.hash(password);
    const { affected } = await this.transactions.run((manager) =>
      manager.update(User, { id: user.id, passwordHash: user.passwordHash }, { passwordHash }),
    );
    return affected === 0 ? undefined : { ...user, passwordHash };
  }
}
