import { Injectable } from '@nestjs/common';
import type { LoggedIn } from '@app/sign-in/auth/auth.types';
import { type CheckedUser, LoginsService } from '@app/sign-in/auth/logins.service';
import type { RequestContext } from '@app/platform/context/request-context';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { networkOf } from '@app/platform/addresses/ip-address';
import { isSuspended } from '@app/security/access/access.queries';
import { type ThrottleLimit, Throttler } from '@app/security/throttling/throttler';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { badCredentials } from '@app/people/users/user.types';
import { UsersService } from '@app/people/users/users.service';
import { PasskeyChallenges } from './passkey-challenges';
import { Passkey } from './passkey.entity';
import type { PasskeyLogin, RequestOptions } from './passkey.types';
import { type Assertion, challengeOf, RelyingParty, userHandleOf, WebAuthn } from './webauthn';

/** Maximum wrong responses from one network in 15 minutes, as for other second factors (decisions.md 12.10). */
const MAX_FROM_ONE_NETWORK = 10;
const QUARTER_OF_AN_HOUR = 900;

/** A passkey with its user. */
interface StoredPasskey extends CheckedUser {
  readonly passkeyId: number;
  readonly passkeyName: string;
  readonly publicKey: Buffer;
  readonly backupEligible: boolean;
  readonly organisationId: number;
  /** The user is enabled, and the organisation is not suspended. */
  readonly canLogIn: boolean;
}

const BY_CREDENTIAL = prepared<StoredPasskey>(`
  SELECT p.id AS "passkeyId", p.name AS "passkeyName", p.public_key AS "publicKey",
    p.backup_eligible AS "backupEligible",
    u.id, u.organisation_id AS "organisationId", u.enabled AND NOT ${isSuspended('o.id')} AS "canLogIn",
    u.password_hash AS "passwordHash", u.second_factor AS "secondFactor"
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

/** A valid response, and its user. */
interface Proof {
  readonly passkey: StoredPasskey;
  readonly assertion: Assertion;
}

/** Logs users in with their passkeys, which count as both factors. */
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
    private readonly users: UsersService,
    private readonly notifications: NotificationRecorder,
  ) {}

  /** Asks for no user name, because the authenticator knows its user. */
  async options(ctx: RequestContext): Promise<RequestOptions> {
    return { challenge: await this.challenges.open(ctx, null), rpId: this.party.rpId };
  }

  /** The 401 does not reveal what is wrong. Valid responses never count, so that a whole office can log in at once. */
  async login(ctx: RequestContext, { credential }: PasskeyLogin): Promise<LoggedIn> {
    const limits: readonly ThrottleLimit[] = [
      { bucket: ['passkey by network', networkOf(ctx.ip)], most: MAX_FROM_ONE_NETWORK },
    ];
    await this.throttler.refuseLocked(limits);
    const proof = await this.check(ctx, credential);
    const hash = proof && (await this.issue(ctx, proof));
    if (proof === undefined || hash === undefined) {
      await this.throttler.reserve(limits, QUARTER_OF_AN_HOUR);
      if (proof !== undefined) await this.notifyOfClone(ctx, proof.passkey);
      throw badCredentials();
    }
    return { user: await this.users.read(proof.passkey.id), hash, deviceToken: '' };
  }

  private async check(
    ctx: RequestContext,
    credential: PasskeyLogin['credential'],
  ): Promise<Proof | undefined> {
    const challenge = challengeOf(credential.response.clientDataJSON);
    if (challenge === undefined || !(await this.challenges.use(ctx, challenge, null))) return undefined;
    const passkey = await this.queries.row<StoredPasskey>(BY_CREDENTIAL, [
      Buffer.from(credential.id, 'base64url'),
    ]);
    if (passkey === undefined || credential.response.userHandle !== userHandleOf(passkey.id))
      return undefined;
    const assertion = await this.webAuthn.assertion(ctx, credential, challenge, passkey);
    return assertion && { passkey, assertion };
  }

  /** Undefined if the counter did not increase. */
  private async issue(
    ctx: RequestContext,
    { passkey, assertion: { counter, backedUp } }: Proof,
  ): Promise<string | undefined> {
    if (!passkey.canLogIn) throw badCredentials();
    const { id: userId, organisationId, passkeyId } = passkey;
    ctx.identify({ userId, organisationId, credential: { kind: 'passkey', id: passkeyId } });
    try {
      return await this.transactions.run(ctx, async (manager) => {
        // Locks the user before the passkey, in the same order as a removal.
        const hash = await this.logins.issue(ctx, manager, { ...passkey, withPasskey: true });
        const used = await manager.query<unknown[]>(USE, [passkeyId, counter, backedUp]);
        if (used.length > 0) return hash;
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
      this.notifications.record(manager, {
        organisationId,
        type: 'counter_back',
        entity: { class: 'Passkey', id: passkeyId, name: passkeyName },
        userId: null,
        cause: 'owner',
        aboutUserId,
      }),
    );
  }
}
