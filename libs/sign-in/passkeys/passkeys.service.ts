import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { StepUp } from '@app/people/users/step-up';
import { lockOwner } from '@app/people/users/user-rows';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { insertReturningId, Transactions } from '@app/platform/database/transactions';
import { assertNameFits } from '@app/platform/dto/text-rules';
import { assertFound, found } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import { type Caller, isAdmin } from '@app/security/access/caller';
import type { StepUpProof } from '@app/security/passwords/step-up-proof';
import { loginLacksFactor, secondFactorRequired } from '@app/sign-in/auth/auth.types';
import { lacksDemandedFactor } from '@app/sign-in/auth/second-factor';
import { PASSKEY_BY_ID, type PasskeyDetails, type PasskeyOrder, passkeyPage } from './passkey.columns';
import { Passkey } from './passkey.entity';
import { type CreationOptions, type NewPasskey, type PasskeyInput, passkeyRefused } from './passkey.types';
import { PasskeyChallenges } from './passkey-challenges';
import { PASSKEY_NOTIFICATIONS } from './passkeys.notifications';
import { challengeOf, RelyingParty, userHandleOf, WebAuthn } from './webauthn';

const PRESENT = prepared<{ id: Buffer }>(
  'SELECT credential_id AS id FROM passkeys WHERE user_id = $1 ORDER BY id',
);

/**
 * Whether a login may change the passkeys of its user: the user has no second factor, or it has passed one.
 */
const MAY_CHANGE = `
  SELECT NOT has_second_factor($1) OR passed_second_factor($1, $2, $3) AS "mayChange"`;

/**
 * Every change of second factors locks the user first, so that one of two concurrent removals sees the other.
 */
const LOCK_USER = `SELECT 1 FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`;

/** The passkey of a path. */
interface PasskeyPath {
  readonly organisationId: number;
  readonly userId: number;
  readonly id: number;
}

/** The passkeys of users. The access statement enforces their rights. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly notifications: NotificationRecorder,
    private readonly stepUp: StepUp,
    private readonly challenges: PasskeyChallenges,
    private readonly webAuthn: WebAuthn,
    private readonly party: RelyingParty,
  ) {}

  list(userId: number, request: ListRequest<PasskeyOrder>): Promise<Page<PasskeyDetails>> {
    return this.paginator.page(request, passkeyPage(userId, request));
  }

  async read(userId: number, id: number): Promise<PasskeyDetails> {
    return found(await this.queries.row<PasskeyDetails>(PASSKEY_BY_ID, [userId, id]), 'Passkey');
  }

  /** Checks the proof before the browser asks the user for a fingerprint. */
  async options(caller: Caller, proof: StepUpProof): Promise<CreationOptions> {
    const { rpId } = this.party;
    const { self: userId, username, fullName } = caller;
    await this.stepUp.prove(caller, proof);
    await this.transactions.run(caller, (manager) => assertPassedFactor(manager, caller, userId));
    const present = await this.queries.rows<{ id: Buffer }>(PRESENT, [userId]);
    return {
      challenge: await this.challenges.open(caller, userId),
      rp: { id: rpId, name: rpId },
      user: { id: userHandleOf(userId), name: username, displayName: fullName },
      present: present.map(({ id }) => id.toString('base64url')),
    };
  }

  async create(
    caller: Caller,
    organisationId: number,
    { name, credential }: NewPasskey,
  ): Promise<PasskeyDetails> {
    const { self: userId } = caller;
    const challenge = challengeOf(credential.response.clientDataJSON);
    if (challenge === undefined || !(await this.challenges.use(caller, challenge, userId))) {
      throw passkeyRefused();
    }
    const key = await this.webAuthn.newKey(caller, credential, challenge);
    if (key === undefined) throw passkeyRefused();
    return this.transactions.run(caller, async (manager) => {
      await manager.query(LOCK_USER, [userId]);
      await lockOwner(manager, { organisationId, userId });
      await assertPassedFactor(manager, caller, userId);
      const added = { ...key, userId, name, rpId: this.party.rpId };
      const id = await insertReturningId(manager, Passkey, added);
      await this.notifications.record(manager, PASSKEY_NOTIFICATIONS.new, {
        organisationId,
        entity: { id, name },
        userId,
        aboutUserId: userId,
      });
      const [created] = await manager.query<[PasskeyDetails]>(PASSKEY_BY_ID.text, [userId, id]);
      return created;
    });
  }

  async update(caller: Caller, userId: number, id: number, { name }: PasskeyInput): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await assertNameFits(name, async () => (await manager.findOneBy(Passkey, { id, userId }))?.name);
      await assertFound(manager.update(Passkey, { id, userId }, { name }), 'Passkey');
    });
  }

  /**
   * Logins with this passkey continue. Users cannot delete their last second factor if the organisation
   * demands one, and need a login that has passed one; managers do not.
   */
  async delete(caller: Caller, path: PasskeyPath, proof: StepUpProof | undefined): Promise<void> {
    const { organisationId, userId, id } = path;
    const isOwn = caller.userId === userId;
    await this.stepUp.confirm(caller, proof);
    await this.transactions.run(caller, async (manager) => {
      await manager.query(LOCK_USER, [userId]);
      if (isOwn) await assertPassedFactor(manager, caller, userId);
      const [passkey] = await manager.query<PasskeyDetails[]>(PASSKEY_BY_ID.text, [userId, id]);
      const { name } = found(passkey, 'Passkey');
      await manager.delete(Passkey, { id });
      if (isOwn && !isAdmin(caller) && (await lacksDemandedFactor(manager, userId)))
        throw secondFactorRequired();
      await this.notifications.record(manager, PASSKEY_NOTIFICATIONS.removed, {
        organisationId,
        entity: { id, name },
        userId: caller.userId,
        aboutUserId: userId,
      });
    });
  }
}

/** Throws 403 for a login of a user with a second factor that has passed none. Lock the user's row first. */
async function assertPassedFactor(
  manager: EntityManager,
  { credential }: Caller,
  userId: number,
): Promise<void> {
  const [login] = await manager.query<{ mayChange: boolean }[]>(MAY_CHANGE, [
    userId,
    credential.kind,
    credential.id,
  ]);
  if (login?.mayChange !== true) throw loginLacksFactor();
}
