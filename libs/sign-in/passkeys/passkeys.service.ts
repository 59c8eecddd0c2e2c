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
import { secondFactorRequired } from '@app/sign-in/auth/auth.types';
import { lacksDemandedFactor } from '@app/sign-in/auth/second-factor';
import { SecondFactorListener } from '@app/sign-in/auth/second-factor-listener';
import { assertNotBarred } from '@app/sign-in/auth/second-factor-losses';
import { PASSKEY_BY_ID, type PasskeyDetails, type PasskeyOrder, passkeyPage } from './passkey.columns';
import { Passkey } from './passkey.entity';
import { type CreationOptions, type NewPasskey, type PasskeyInput, passkeyRefused } from './passkey.types';
import { PasskeyChallenges } from './passkey-challenges';
import { isPasskeyThere } from './passkey-presence';
import { PASSKEY_NOTICES } from './passkeys.notices';
import { challengeOf, RelyingParty, userHandleOf, WebAuthn } from './webauthn';

const PRESENT = prepared<{ id: Buffer }>(
  `SELECT credential_id AS id FROM passkeys p WHERE user_id = $1 AND ${isPasskeyThere('p')} ORDER BY id`,
);

/** Passkeys whose time is over make room for others, also for one of the same authenticator. */
const DELETE_GONE = `DELETE FROM passkeys p WHERE user_id = $1 AND NOT ${isPasskeyThere('p')}`;

/**
 * What a login may change at once: everything, if its user has no second factor or it has passed one.
 * Otherwise the change counts from the time `from` on (rule passkeys 32, rule passkeys 34).
 */
const STANDING = `
  SELECT NOT has_second_factor($1) OR passed_second_factor($1, $2, $3) AS "isProven",
    now() + interval '72 hours' AS "from",
    to_char((now() + interval '72 hours') AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS "fromText"`;

interface Standing {
  readonly isProven: boolean;
  readonly from: Date;
  readonly fromText: string;
}

const COUNTS = `SELECT counts_from <= clock_timestamp() AS counts, gone_at IS NOT NULL AS "isGoing" FROM passkeys WHERE id = $1`;

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
    private readonly listener: SecondFactorListener,
  ) {}

  list(userId: number, request: ListRequest<PasskeyOrder>): Promise<Page<PasskeyDetails>> {
    return this.paginator.page(request, passkeyPage(userId, request));
  }

  async read(userId: number, id: number): Promise<PasskeyDetails> {
    return found(await this.queries.row<PasskeyDetails>(PASSKEY_BY_ID, [userId, id]), 'Passkey');
  }

  /** Checks the proof before the browser asks the user for a fingerprint. */
  async options(caller: Caller, proof: StepUpProof): Promise<CreationOptions> {
    await this.stepUp.prove(caller, proof);
    const { rpId } = this.party;
    const { self: userId, username, fullName } = caller;
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
      await assertNotBarred(manager, userId);
      const { isProven, from, fromText } = await standingOf(manager, caller, userId);
      await manager.query(DELETE_GONE, [userId]);
      const added = { ...key, userId, name, ...(!isProven && { countsFrom: from }) };
      const id = await insertReturningId(manager, Passkey, added);
      const { mail } = await this.listener.changed(manager, {
        userId,
        loginId: caller.loginId,
        change: 'passkeyAdded',
        factor: { id, name },
        template: isProven ? 'passkeyAdded' : 'passkeyAddedLater',
      });
      await this.notifications.record(manager, PASSKEY_NOTICES.new, {
        organisationId,
        entity: { id, name },
        userId,
        aboutUserId: userId,
        ...(!isProven && { params: { countsFrom: fromText } }),
        ...mail,
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
   * Logins with this passkey continue. Users cannot delete their last second factor if the
   * organisation demands one. With a login that has not passed the second factor, a passkey that
   * counts goes only after three days.
   */
  async delete(caller: Caller, path: PasskeyPath, proof: StepUpProof | undefined): Promise<void> {
    await this.stepUp.confirm(caller, proof);
    const { organisationId, userId, id } = path;
    await this.transactions.run(caller, async (manager) => {
      await manager.query(LOCK_USER, [userId]);
      const [passkey] = await manager.query<PasskeyDetails[]>(PASSKEY_BY_ID.text, [userId, id]);
      const { name } = found(passkey, 'Passkey');
      const isOwn = caller.userId === userId;
      const standing = await standingOf(manager, caller, userId);
      const [state] = await manager.query<{ counts: boolean; isGoing: boolean }[]>(COUNTS, [id]);
      const waits = isOwn && !standing.isProven && state?.counts === true;
      if (waits && state.isGoing) return;
      if (waits) await manager.update(Passkey, { id }, { goneAt: standing.from });
      else await manager.delete(Passkey, { id });
      if (isOwn && !isAdmin(caller) && (await lacksDemandedFactor(manager, userId)))
        throw secondFactorRequired();
      if (waits) {
        const { mail } = await this.listener.changed(manager, {
          userId,
          loginId: caller.loginId,
          change: 'passkeyGoing',
          factor: { id, name },
          template: 'passkeyGoing',
        });
        await this.notifications.record(manager, PASSKEY_NOTICES.removal_begun, {
          organisationId,
          entity: { id, name },
          userId,
          aboutUserId: userId,
          params: { goneFrom: standing.fromText },
          ...mail,
        });
        return;
      }
      await this.notifications.record(manager, PASSKEY_NOTICES.removed, {
        organisationId,
        entity: { id, name },
        userId: caller.userId,
        aboutUserId: userId,
      });
    });
  }
}

async function standingOf(manager: EntityManager, { credential }: Caller, userId: number): Promise<Standing> {
  const [standing] = await manager.query<[Standing]>(STANDING, [userId, credential.kind, credential.id]);
  return standing;
}
