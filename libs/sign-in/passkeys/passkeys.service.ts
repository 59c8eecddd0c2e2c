import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { secondFactorRequired } from '@app/sign-in/auth/auth.types';
import { lacksDemandedFactor } from '@app/sign-in/auth/second-factor';
import { type Caller, isAdmin } from '@app/security/access/access.decorators';
import { assertCredentialValid } from '@app/security/access/credential-lookup';
import { DatabaseReads, prepared } from '@app/platform/database/pg-reads/database-reads';
import { insertReturningId, Transactions } from '@app/platform/database/transactions';
import { assertNameFits } from '@app/platform/dto/text-rules';
import { assertFound, found } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { StepUp } from '@app/people/users/step-up';
import { lockOwner } from '@app/people/users/user-rows';
import type { StepUpProof } from '@app/people/users/user.types';
import { PASSKEY_BY_ID, type PasskeyDetails, type PasskeyOrder, passkeyPage } from './passkey.columns';
import { PasskeyChallenges } from './passkey-challenges';
import { Passkey } from './passkey.entity';
import { type CreationOptions, type NewPasskey, type PasskeyInput, passkeyRefused } from './passkey.types';
import { challengeOf, RelyingParty, userHandleOf, WebAuthn } from './webauthn';

const PRESENT = prepared<{ id: Buffer }>(
  `SELECT credential_id AS id FROM passkeys WHERE user_id = $1 ORDER BY id`,
);

/** Every change of second factors locks the user first, so that one of two concurrent removals sees the other. */
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
      await lockOwner(manager, { organisationId, userId });
      await assertCredentialValid(manager, caller.credential);
      const id = await insertReturningId(manager, Passkey, { ...key, userId, name });
      await this.tell(manager, caller, { organisationId, userId, id }, { type: 'new', name });
      const [created] = await manager.query<[PasskeyDetails]>(PASSKEY_BY_ID.text, [userId, id]);
      return created;
    });
  }

  async update(caller: Caller, userId: number, id: number, { name }: PasskeyInput): Promise<void> {
    await this.transactions.run(caller, async (manager) => {
      await assertCredentialValid(manager, caller.credential);
      await assertNameFits(name, async () => (await manager.findOneBy(Passkey, { id, userId }))?.name);
      await assertFound(manager.update(Passkey, { id, userId }, { name }), 'Passkey');
    });
  }

  /** Logins with this passkey continue. Users cannot delete their last second factor if the organisation demands one. */
  async delete(caller: Caller, path: PasskeyPath, proof: StepUpProof | undefined): Promise<void> {
    await this.stepUp.confirm(caller, proof);
    const { userId, id } = path;
    await this.transactions.run(caller, async (manager) => {
      await manager.query(LOCK_USER, [userId]);
      await assertCredentialValid(manager, caller.credential);
      const passkey = found(await manager.findOneBy(Passkey, { id, userId }), 'Passkey');
      await manager.delete(Passkey, { id });
      const isOwn = caller.userId === userId && !isAdmin(caller);
      if (isOwn && (await lacksDemandedFactor(manager, userId))) throw secondFactorRequired();
      await this.tell(manager, caller, path, { type: 'removed', name: passkey.name });
    });
  }

  private async tell(
    manager: EntityManager,
    caller: Caller,
    { organisationId, userId, id }: PasskeyPath,
    { type, name }: { readonly type: 'new' | 'removed'; readonly name: string },
  ): Promise<void> {
    await this.notifications.record(manager, {
      organisationId,
      type,
      entity: { class: 'Passkey', id, name },
      userId: caller.userId,
      aboutUserId: userId,
    });
  }
}
