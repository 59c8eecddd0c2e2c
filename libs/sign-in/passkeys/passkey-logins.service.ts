import { Injectable } from '@nestjs/common';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { badCredentials } from '@app/people/users/user.types';
import { UsersService } from '@app/people/users/users.service';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { isSuspended } from '@app/security/access/access.queries';
import type { RequestContext } from '@app/security/context/request-context';
import { Throttler } from '@app/security/throttling/throttler';
import type { LoggedIn } from '@app/sign-in/auth/auth.types';
import { LoginsService, type UserToLogIn } from '@app/sign-in/auth/logins.service';
import { RightLogins } from '@app/sign-in/auth/right-logins';
import { Passkey } from './passkey.entity';
import type { PasskeyLogin, RequestOptions } from './passkey.types';
import { PasskeyChallenges } from './passkey-challenges';
import { PASSKEY_NOTIFICATIONS } from './passkeys.notifications';
import { type Assertion, challengeOf, RelyingParty, userHandleOf, WebAuthn } from './webauthn';

/**
 * Maximum wrong responses with one passkey in 15 minutes, as for other second factors (rule passkeys 22,
 * rule passkeys 23). Those of a copy, which are right but for their counter, have a count of their own: only
 * the key makes them, and noise must not keep the user from hearing of them.
 */
const MAX_WRONG = 10;
const QUARTER_OF_AN_HOUR = 900;

/** A passkey with its user. */
interface StoredPasskey extends Omit<UserToLogIn, 'knownClient'> {
  readonly passkeyId: number;
  readonly passkeyName: string;
  readonly publicKey: Buffer;
  readonly backupEligible: boolean;
}

const BY_CREDENTIAL = prepared<StoredPasskey>(`
  SELECT p.id AS "passkeyId", p.name AS "passkeyName", p.public_key AS "publicKey",
    p.backup_eligible AS "backupEligible",
    u.id, u.organisation_id AS "organisationId", o.customer_id AS "customerId",
    u.enabled AND NOT ${isSuspended('o.id')} AS "canLogIn",
    u.password_hash AS "passwordHash", u.second_factor AS "secondFactor", u.totp_secret AS "totpSecret",
    u.totp_last_step AS "totpLastStep", o.required_2fa AS required
  FROM passkeys p JOIN users u ON u.id = p.user_id AND u.deleted_at IS NULL
  JOIN organisations o ON o.id = u.organisation_id AND o.deleted_at IS NULL
  WHERE p.credential_id = $1`);

/** A copy of a key has a counter that does not increase. Authenticators without a counter always send 0. */
const USE = `
  WITH used AS (
    UPDATE passkeys SET counter = $2, backed_up = $3, last_used_at = now()
    WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id
  ) SELECT id FROM used`;

/** Rolls back the login. */
class CounterWentBack extends Error {}

/** A response to an open challenge, with the stored passkey that it names. */
interface Response {
  readonly passkey: StoredPasskey;
  /** Undefined if it is wrong. */
  readonly assertion: Assertion | undefined;
}

type IssuedLogin = Pick<LoggedIn, 'hash' | 'deviceToken'>;

/** Logs users in with their passkeys, which stand for both factors. */
@Injectable()
export class PasskeyLoginsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly throttler: Throttler,
    private readonly challenges: PasskeyChallenges,
    private readonly webAuthn: WebAuthn,
    private readonly party: RelyingParty,
    private readonly logins: LoginsService,
    private readonly rightLogins: RightLogins,
    private readonly users: UsersService,
    private readonly notifications: NotificationRecorder,
  ) {}

  /** Asks for no user name, because the authenticator knows its user. */
  async options(ctx: RequestContext): Promise<RequestOptions> {
    return { challenge: await this.challenges.open(ctx, null), rpId: this.party.rpId };
  }

  /**
   * The 401 does not reveal what is wrong. Wrong responses count for the passkey that they name. Nobody can
   * guess a signature, so a right response passes any lock, and what names no passkey or no open challenge
   * locks nothing (rule passkeys 22).
   */
  async login(ctx: RequestContext, { credential }: PasskeyLogin): Promise<LoggedIn> {
    const response = await this.check(ctx, credential);
    if (response === undefined) throw badCredentials();
    const { passkey, assertion } = response;
    const issued = assertion && (await this.issue(ctx, passkey, assertion));
    if (issued === undefined) {
      const kind = assertion === undefined ? 'wrong passkey' : 'copied passkey';
      const limit = { bucket: [kind, passkey.passkeyId], most: MAX_WRONG } as const;
      await this.throttler.reserve([limit], QUARTER_OF_AN_HOUR);
      if (assertion !== undefined) await this.notifyOfClone(ctx, passkey);
      throw badCredentials();
    }
    return { user: await this.users.read(passkey.id), ...issued };
  }

  /** Undefined without an open challenge or a stored passkey. */
  private async check(
    ctx: RequestContext,
    credential: PasskeyLogin['credential'],
  ): Promise<Response | undefined> {
    const challenge = challengeOf(credential.response.clientDataJSON);
    if (challenge === undefined || !(await this.challenges.use(ctx, challenge, null))) return undefined;
    const passkey = await this.queries.row<StoredPasskey>(BY_CREDENTIAL, [
      Buffer.from(credential.id, 'base64url'),
    ]);
    if (passkey === undefined) return undefined;
    const isOfUser = credential.response.userHandle === userHandleOf(passkey.id);
    const assertion = isOfUser
      ? await this.webAuthn.assertion(ctx, credential, challenge, passkey)
      : undefined;
    return { passkey, assertion };
  }

  /** Undefined if the counter did not increase. */
  private async issue(
    ctx: RequestContext,
    passkey: StoredPasskey,
    { counter, backedUp }: Assertion,
  ): Promise<IssuedLogin | undefined> {
    if (!passkey.canLogIn) throw badCredentials();
    const { id: userId, organisationId, customerId, passkeyId } = passkey;
    ctx.identify({ userId, organisationId, customerId, credential: { kind: 'passkey', id: passkeyId } });
    try {
      return await this.rightLogins.issue(ctx, userId, async (manager) => {
        // Locks the user before the passkey, in the same order as a removal.
        const { hash } = await this.logins.issue(ctx, manager, { ...passkey, passkeyId });
        const used = await manager.query<unknown[]>(USE, [passkeyId, counter, backedUp]);
        if (used.length > 0) return { hash, deviceToken: '' };
        // The passkey was just removed, or it is a copy.
        throw (await manager.existsBy(Passkey, { id: passkeyId })) ? new CounterWentBack() : badCredentials();
      });
    } catch (error) {
      if (error instanceof CounterWentBack) return undefined;
      throw error;
    }
  }

  private async notifyOfClone(
    ctx: RequestContext,
    { id: aboutUserId, organisationId, passkeyId, passkeyName }: StoredPasskey,
  ): Promise<void> {
    await this.transactions.run(ctx, (manager) =>
      this.notifications.record(manager, PASSKEY_NOTIFICATIONS.counter_back, {
        organisationId,
        entity: { id: passkeyId, name: passkeyName },
        userId: null,
        aboutUserId,
      }),
    );
  }
}
