import { Injectable } from '@nestjs/common';
import { UserEvents } from '@app/lifecycle/user-events';
import { DatabaseReads } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { AccessDenied } from '@app/platform/errors/api-error';
import { type Caller, isAdmin } from '@app/security/access/caller';
import { parseCryptHash } from '@app/security/passwords/crypt-hash';
import type { StepUpProof } from '@app/security/passwords/step-up-proof';
import { StepUp } from '../step-up';
import { UnavailableNames } from '../unavailable-names';
import type { UserDetails } from '../user.columns';
import { User } from '../user.entity';
import { fullNameOf } from '../user-names';
import { createUser } from '../user-rows';
import { UsernameChanges } from '../username-changes';
import { STORED_USER, userIn } from '../users.service';

/** Body of `POST …/users`: a user of the previous panel. */
export interface MigratedUser {
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Password hash in a form that `parseCryptHash` reads. The first login replaces it. */
  readonly passwordHash: string;
  /** On a change, undefined leaves the field unchanged and null clears it. */
  readonly websiteOrderInformation: string | null | undefined;
}

/** Body of `PATCH …/cp3/users/{userId}`. */
export interface MigratedUserChange extends MigratedUser {
  /** Required for another user name and another hash. */
  readonly proof: StepUpProof;
}

/** 403: an admin has set its own password since it came from the previous panel. */
export const adminPasswordKept = (): AccessDenied =>
  new AccessDenied('The password of an admin is no longer that of the previous panel', 'ADMIN_PASSWORD_KEPT');

/** Users of the previous panel, with the password hashes from there. */
@Injectable()
export class MigratedUsersService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly transactions: Transactions,
    private readonly events: UserEvents,
    private readonly usernames: UsernameChanges,
    private readonly stepUp: StepUp,
    private readonly names: UnavailableNames,
  ) {}

  async create(caller: Caller, organisationId: number, user: MigratedUser): Promise<UserDetails> {
    return this.transactions.run(caller, async (manager) => {
      await this.names.free(manager, user.username, { withToken: false });
      const userId = await createUser(manager, { ...user, organisationId, language: 'nl', roles: [] });
      await this.events.announce(manager, {
        kind: 'created',
        userId,
        organisationId,
        fullName: fullNameOf(user),
        actorId: caller.userId,
      });
      return userIn(manager, userId);
    });
  }

  /** Another hash means another password, so existing logins end. */
  async update(
    caller: Caller,
    { organisationId, userId: id }: { readonly organisationId: number; readonly userId: number },
    { proof, ...user }: MigratedUserChange,
  ): Promise<UserDetails> {
    await this.stepUp.confirmIf(caller, proof, async () => {
      const before = await this.queries.row(STORED_USER, [id]);
      if (before === undefined) return false;
      const isRenamed = this.usernames.isOther(caller, before.username, user.username);
      return setsNewHash(before, user) || isRenamed;
    });
    return this.transactions.run(caller, async (manager) => {
      const name = await this.usernames.prepare(manager, caller, id, user.username);
      const isNewHash = setsNewHash(name.user, user);
      await manager.update(User, { id }, { ...user, ...name.columns });
      await this.usernames.announce(manager, name);
      if (!isNewHash) return userIn(manager, id);
      await this.events.announce(manager, {
        kind: 'passwordChanged',
        userId: id,
        organisationId,
        username: user.username,
        actorId: caller.userId,
        // Admins who change themselves keep the presented login.
        keptLoginId: caller.credential.kind === 'login' ? caller.credential.id : undefined,
      });
      return userIn(manager, id);
    });
  }
}

/**
 * Whether the change sets another hash. An admin's own password gives way to none: else the login of an admin
 * would be enough to replace it (rule variant-b 12).
 */
function setsNewHash(
  before: Pick<User, 'roles' | 'passwordHash'>,
  { passwordHash }: Pick<MigratedUser, 'passwordHash'>,
): boolean {
  if (before.passwordHash === passwordHash) return false;
  if (isAdmin(before) && !isOfPreviousPanel(before.passwordHash)) throw adminPasswordKept();
  return true;
}

/**
 * Whether the hash was made by the previous panel. One of the form that this service makes, `$2b$`, counts as
 * its own: nothing tells it from a password that the user has set here.
 */
function isOfPreviousPanel(text: string): boolean {
  const hash = parseCryptHash(text);
  return hash !== undefined && (hash.scheme !== 'bcrypt' || hash.revision !== 'b');
}
