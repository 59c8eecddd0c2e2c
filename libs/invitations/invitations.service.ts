import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import type { Caller } from '@app/core/access/caller';
import { assertRolesGivenByLogin, validateRoles, rolesOf } from '@app/core/access/role-grants';
import { insertReturningId } from '@app/core/database/insert-returning-id';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound, ValidationFailed } from '@app/core/errors/api-error';
import { fault, faultsIn, type Fault } from '@app/core/errors/fault';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { digestOf, newSecret } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import { fullNameOf } from '@app/core/text/person-name';
import { InvitedRecipients } from '@app/notifications/invited-recipients';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { InvitationMail, type InvitationToSend } from './invitation-mail';
import { Invitation } from './invitation.entity';
import { INVITATION_BY_ID, invitationPage } from './invitation.queries';
import { belongsToUser, closeExpired, lockLiveOrganisation, teamsNamed } from './invitation.rules';
import type { InvitationDetails, InvitationInput, InvitationOrder } from './invitation.types';
import { EMAIL_OF_USER, emailAlreadyTaken, InvitationNotOpen } from './invitations.errors';

type StoredInvitation = Omit<InvitationToSend, 'organisationName' | 'inviterName'>;

/** The fields of an input that need a look at what is stored, checked. */
type CheckedInput = Partial<Pick<Invitation, 'autoRoles' | 'autoTeams'>>;

/** The rules of invitations: whom one may invite to what, and when a token begins and ends. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly settings: Settings,
    private readonly mail: InvitationMail,
    private readonly notifications: NotificationRecorder,
    private readonly invited: InvitedRecipients,
  ) {}

  list(organisationId: number, request: ListRequest<InvitationOrder>): Promise<Page<InvitationDetails>> {
    return this.paginator.page(request, invitationPage(organisationId, request));
  }

  async read(id: number): Promise<InvitationDetails> {
    const invitation = await this.queries.quickRow<InvitationDetails>(INVITATION_BY_ID, [id]);
    if (invitation === undefined) throw new NotFound('Invitation');
    return invitation;
  }

  /** Whether the invitation can still be registered with. */
  async isAvailable(id: number): Promise<boolean> {
    return (await this.read(id)).state === 'open';
  }

  async create(caller: Caller, organisationId: number, input: InvitationInput): Promise<InvitationDetails> {
    const token = newSecret();
    const id = await this.transactions.run(async (manager) => {
      const organisationName = await organisationOrNotFound(manager, organisationId);
      const checked = await checkedInput(manager, caller, organisationId, input);
      await closeExpired(manager, organisationId, input.email);
      const created = await insertReturningId(manager, Invitation, {
        organisationId,
        inviterId: caller.userId,
        ...columnsOf(input),
        ...checked,
        tokenDigest: digestOf(token),
        expiresAt: () => this.expiry,
      });
      const invitation = await storedInvitation(manager, created);
      await this.mail.queue(
        manager,
        { ...invitation, organisationName, inviterName: fullNameOf(caller) },
        token,
      );
      await this.notifications.record(manager, {
        organisationId,
        group: 'Crm',
        type: 'new',
        entityClass: 'Invitation',
        entityId: invitation.id,
        entityName: fullNameOf(invitation),
        userId: caller.userId,
        params: { email: invitation.email },
        extraRecipients: [{ kind: 'invited', ...recipientOf(invitation) }],
      });
      return invitation.id;
    });
    return this.read(id);
  }

  /**
   * Another address gets a token of its own and the whole time to use it; the old address has none any more. So does
   * an expired invitation, which is open again.
   */
  async update(caller: Caller, organisationId: number, id: number, input: InvitationInput): Promise<void> {
    const token = newSecret();
    await this.transactions.run(async (manager) => {
      const organisationName = await organisationOrNotFound(manager, organisationId);
      const before = await lockUnused(manager, organisationId, id);
      const moves = input.email.toLowerCase() !== before.email.toLowerCase();
      const checked = await checkedInput(manager, caller, organisationId, input, before);
      if (moves) await closeExpired(manager, organisationId, input.email);
      const isRenewed = moves || (await isExpired(manager, id));
      await manager.update(
        Invitation,
        { id },
        {
          // Who changes an invitation answers for all its roles from then on, those that it leaves included.
          inviterId: caller.userId,
          ...columnsOf(input),
          ...checked,
          ...(isRenewed && { tokenDigest: digestOf(token), expiresAt: () => this.expiry }),
        },
      );
      if (isRenewed) await this.mailAgain(manager, caller, { id, organisationName }, token);
    });
  }

  /**
   * A new mail with a new link, for the whole time, as if the invitation were changed into itself: who sends it again
   * answers for its roles. The link of the mail before ends: a mail that went astray is one reason to send another.
   */
  async resend(caller: Caller, organisationId: number, id: number): Promise<InvitationDetails> {
    const token = newSecret();
    await this.transactions.run(async (manager) => {
      const organisationName = await organisationOrNotFound(manager, organisationId);
      const before = await lockUnused(manager, organisationId, id);
      const { email, firstName, lastName } = before;
      await checkedInput(manager, caller, organisationId, { email, firstName, lastName }, before);
      if (await belongsToUser(manager, email)) throw emailAlreadyTaken();
      await manager.update(
        Invitation,
        { id },
        { inviterId: caller.userId, tokenDigest: digestOf(token), expiresAt: () => this.expiry },
      );
      await this.mailAgain(manager, caller, { id, organisationName }, token);
    });
    return this.read(id);
  }

  /** Its token ends, and its mail is not sent any more. */
  async delete(id: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.update(
        Invitation,
        { id, deletedAt: IsNull() },
        { deletedAt: () => 'now()' },
      );
      if (affected === 0) throw new NotFound('Invitation');
      await this.mail.withdraw(manager, id);
      await this.invited.skip(manager, id);
    });
  }

  /** It takes the place of a mail that still waits, and of the delivery that the notification shows. */
  private async mailAgain(
    manager: EntityManager,
    caller: Caller,
    { id, organisationName }: Pick<InvitationToSend, 'id' | 'organisationName'>,
    token: string,
  ): Promise<void> {
    const invitation = await storedInvitation(manager, id);
    await this.invited.replace(manager, id, invitation.organisationId, recipientOf(invitation));
    const inviterName = fullNameOf(caller);
    await this.mail.queue(manager, { ...invitation, organisationName, inviterName }, token);
  }

  /** SQL for the end of an invitation that is written now, by the database's clock. */
  private get expiry(): string {
    return `now() + make_interval(secs => ${this.settings.invitationTtl})`;
  }
}

/** An invitation that nobody registered with yet, and that does not change until the transaction ends. */
async function lockUnused(manager: EntityManager, organisationId: number, id: number): Promise<Invitation> {
  const invitation = await manager.findOne(Invitation, {
    where: { id, organisationId },
    lock: { mode: 'pessimistic_write' },
  });
  if (invitation === null || invitation.deletedAt !== null) throw new NotFound('Invitation');
  if (invitation.acceptedAt !== null) throw new InvitationNotOpen('accepted');
  return invitation;
}

async function isExpired(manager: EntityManager, id: number): Promise<boolean> {
  const [row] = await manager.query<{ expired: boolean }[]>(
    'SELECT expires_at <= now() AS expired FROM invitations WHERE id = $1',
    [id],
  );
  return row?.expired === true;
}

async function organisationOrNotFound(manager: EntityManager, id: number): Promise<string> {
  const name = await lockLiveOrganisation(manager, id);
  if (name === undefined) throw new NotFound('Organisation');
  return name;
}

/**
 * Checks everything that needs the database and reports all errors at once. On an update the roles that stay
 * are checked like new ones: otherwise a manager could turn an admin's invitation to an address of its own.
 */
async function checkedInput(
  manager: EntityManager,
  caller: Caller,
  organisationId: number,
  input: InvitationInput,
  before?: Invitation,
): Promise<CheckedInput> {
  const errors: Record<string, readonly Fault[]> = {};
  const roles = input.autoRoles ?? before?.autoRoles ?? [];
  assertRolesGivenByLogin(caller, roles);
  const faultyRoles = validateRoles(caller, organisationId, roles);
  if (faultyRoles !== undefined) errors['autoRoles'] = faultsIn(faultyRoles);
  const teams = input.autoTeams && (await teamsNamed(manager, organisationId, input.autoTeams));
  if (teams && teams.unknown.length > 0) {
    errors['autoTeams'] = teams.unknown.map((team) =>
      fault('DOES_NOT_EXIST', `Not a team of this organisation: ${team}.`),
    );
  }
  const isNewAddress = before?.email.toLowerCase() !== input.email.toLowerCase();
  if (isNewAddress && (await belongsToUser(manager, input.email))) errors['email'] = [EMAIL_OF_USER];
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  return { autoRoles: rolesOf(roles), ...(teams && { autoTeams: teams.ids }) };
}

/** The columns that the plain fields of an input set; undefined leaves a column as it is. */
const columnsOf = ({ email, firstName, lastName, language }: InvitationInput) => ({
  email,
  firstName,
  lastName,
  ...(language !== undefined && { language }),
});

/** The invited person among the recipients of the notification. */
const recipientOf = (invitation: StoredInvitation) => ({
  fullName: fullNameOf(invitation),
  language: invitation.language,
  value: invitation.email,
});

/** The invitation as it was just written, with what the database filled in. */
const storedInvitation = (manager: EntityManager, id: number): Promise<StoredInvitation> =>
  manager.findOneByOrFail(Invitation, { id });
