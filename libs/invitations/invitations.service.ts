import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '@app/core/access/caller';
import { faultOfRoles, rolesOf } from '@app/core/access/role-grants';
import { Sql } from '@app/core/database/sql';
import { Transactions } from '@app/core/database/transactions';
import { NotFound, ValidationFailed } from '@app/core/errors/api-error';
import { Lists } from '@app/core/paging/lists';
import type { ListRequest, Page } from '@app/core/paging/page';
import { digestOf, newSecret } from '@app/core/secrets/digest';
import { Settings } from '@app/core/settings/settings';
import { NotificationRecorder } from '@app/notifications/notification-recorder';
import { InvitationMail, type InvitationToSend } from './invitation-mail';
import { Invitation } from './invitation.entity';
import { INVITATION_BY_ID, invitationPage } from './invitation.queries';
import { belongsToUser, closeExpired, lockLiveOrganisation, teamsNamed } from './invitation.rules';
import type { InvitationDetails, InvitationInput, InvitationOrder } from './invitation.values';
import { EMAIL_OF_USER, InvitationNotOpen } from './invitations.errors';

/** The fields of an input that need a look at what is stored, checked. */
type CheckedInput = Partial<Pick<Invitation, 'autoRoles' | 'autoTeams'>>;

/** The rules of invitations: whom one may invite to what, and when a token begins and ends. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly sql: Sql,
    private readonly lists: Lists,
    private readonly transactions: Transactions,
    private readonly settings: Settings,
    private readonly mail: InvitationMail,
    private readonly notifications: NotificationRecorder,
  ) {}

  list(organisationId: number, request: ListRequest<InvitationOrder>): Promise<Page<InvitationDetails>> {
    return this.lists.page(request, invitationPage(organisationId, request));
  }

  async read(id: number): Promise<InvitationDetails> {
    const invitation = await this.sql.row<InvitationDetails>(INVITATION_BY_ID, [id]);
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
      const { identifiers } = await manager.insert(Invitation, {
        organisationId,
        inviterId: caller.userId,
        ...columnsOf(input),
        ...checked,
        tokenDigest: digestOf(token),
        expiresAt: () => this.expiry,
      });
      const invitation = await storedInvitation(manager, (identifiers[0] as { id: number }).id);
      await this.mail.queue(manager, { ...invitation, organisationName }, token);
      await this.notifications.record(manager, {
        organisationId,
        group: 'Crm',
        type: 'new',
        entityClass: 'Invitation',
        entityId: invitation.id,
        entityName: `${invitation.firstName} ${invitation.lastName}`,
        userId: caller.userId,
        params: { email: invitation.email },
      });
      return invitation.id;
    });
    return this.read(id);
  }

  /** Another address gets a token of its own and the whole time to use it; the old address has none any more. */
  async update(caller: Caller, organisationId: number, id: number, input: InvitationInput): Promise<void> {
    const token = newSecret();
    await this.transactions.run(async (manager) => {
      const organisationName = await organisationOrNotFound(manager, organisationId);
      const before = await manager.findOne(Invitation, {
        where: { id, organisationId },
        lock: { mode: 'pessimistic_write' },
      });
      if (before === null || before.deletedAt !== null) throw new NotFound('Invitation');
      if (before.acceptedAt !== null) throw new InvitationNotOpen('accepted');
      const moves = input.email.toLowerCase() !== before.email.toLowerCase();
      const checked = await checkedInput(manager, caller, organisationId, input, before);
      if (moves) await closeExpired(manager, organisationId, input.email);
      await manager.update(
        Invitation,
        { id },
        {
          // Who changes an invitation answers for all its roles from then on, those that it leaves included.
          inviterId: caller.userId,
          ...columnsOf(input),
          ...checked,
          ...(moves && { tokenDigest: digestOf(token), expiresAt: () => this.expiry }),
        },
      );
      if (moves)
        await this.mail.queue(manager, { ...(await storedInvitation(manager, id)), organisationName }, token);
    });
  }

  /** Its token ends, and its mail is not sent any more. */
  async delete(id: number): Promise<void> {
    await this.transactions.run(async (manager) => {
      await manager.update(Invitation, { id }, { deletedAt: () => 'now()' });
      await this.mail.withdraw(manager, id);
    });
  }

  /** SQL for the end of an invitation that is written now, by the database's clock. */
  private get expiry(): string {
    return `now() + make_interval(secs => ${this.settings.invitationTtl})`;
  }
}

async function organisationOrNotFound(manager: EntityManager, id: number): Promise<string> {
  const name = await lockLiveOrganisation(manager, id);
  if (name === undefined) throw new NotFound('Organisation');
  return name;
}

/**
 * Checks everything that needs the database and reports all faults at once. On an update the roles that stay
 * are checked like new ones: otherwise a manager could turn an admin's invitation to an address of its own.
 */
async function checkedInput(
  manager: EntityManager,
  caller: Caller,
  organisationId: number,
  input: InvitationInput,
  before?: Invitation,
): Promise<CheckedInput> {
  const faults: Record<string, string[]> = {};
  const roles = input.autoRoles ?? before?.autoRoles ?? [];
  const faultyRoles = faultOfRoles(caller, organisationId, roles);
  if (faultyRoles !== undefined) faults['autoRoles'] = [faultyRoles];
  const teams = input.autoTeams && (await teamsNamed(manager, organisationId, input.autoTeams));
  if (teams && teams.unknown.length > 0) {
    faults['autoTeams'] = [`Not a team of this organisation: ${teams.unknown.join(', ')}.`];
  }
  const isNewAddress = before?.email.toLowerCase() !== input.email.toLowerCase();
  if (isNewAddress && (await belongsToUser(manager, input.email))) faults['email'] = [EMAIL_OF_USER];
  if (Object.keys(faults).length > 0) throw new ValidationFailed(faults);
  return { autoRoles: rolesOf(roles), ...(teams && { autoTeams: teams.ids }) };
}

/** The columns that the plain fields of an input set; undefined leaves a column as it is. */
const columnsOf = ({ email, firstName, lastName, language }: InvitationInput) => ({
  email,
  firstName,
  lastName,
  ...(language !== undefined && { language }),
});

/** The invitation as it was just written, with what the database filled in. */
const storedInvitation = (
  manager: EntityManager,
  id: number,
): Promise<Omit<InvitationToSend, 'organisationName'>> => manager.findOneByOrFail(Invitation, { id });
