import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { Settings } from '@app/config/settings';
import { NotificationRecipients } from '@app/people/notifications/notification-recipients';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { makerAbove } from '@app/people/organisations/maker-above';
import { assertMayAddMembers } from '@app/people/teams/team-membership';
import {
  assertRolesGivenByLogin,
  givesManagingRole,
  rolesOf,
  validateRoles,
} from '@app/people/users/given-roles';
import { StepUp } from '@app/people/users/step-up';
import { DatabaseReads, prepared, rowIn } from '@app/platform/database/pg-reads/database-reads';
import { insertReturningId, Transactions } from '@app/platform/database/transactions';
import {
  assertFound,
  errorsIn,
  type FieldError,
  fieldError,
  found,
  ValidationFailed,
} from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import type { Caller } from '@app/security/access/caller';
import { assertActsItself } from '@app/security/access/impersonation';
import type { RequestContext } from '@app/security/context/request-context';
import type { Proven, StepUpProof } from '@app/security/passwords/step-up-proof';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import {
  INVITATION_BY_ID,
  type InvitationDetails,
  type InvitationOrder,
  invitationPage,
} from './invitation.columns';
import { Invitation } from './invitation.entity';
import {
  belongsToUser,
  closeExpired,
  isExpired,
  lockLiveOrganisation,
  lockUnused,
  teamsNamed,
} from './invitation.rules';
import { EMAIL_OF_USER, type InvitationInput } from './invitation.types';
import { InvitationMail, type InvitationToSend } from './invitation-mail';
import { notificationOf, recipientOf, type StoredInvitation } from './invitation-notifications';
import { INVITATION_NOTIFICATIONS } from './invitations.notifications';

const STORED_ROLES = prepared<Pick<Invitation, 'autoRoles'>>(
  'SELECT auto_roles AS "autoRoles" FROM invitations WHERE id = $1',
);

/** The fields that are checked against the database. */
type CheckedInput = Pick<Invitation, 'autoRoles'> & Partial<Pick<Invitation, 'autoTeams'>>;

/** The rules of invitations: who may be invited to which roles and teams, and how long a token is valid. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly queries: DatabaseReads,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly settings: Settings,
    private readonly mail: InvitationMail,
    private readonly notifications: NotificationRecorder,
    private readonly recipients: NotificationRecipients,
    private readonly stepUp: StepUp,
  ) {}

  list(organisationId: number, request: ListRequest<InvitationOrder>): Promise<Page<InvitationDetails>> {
    return this.paginator.page(request, invitationPage(organisationId, request));
  }

  async read(id: number): Promise<InvitationDetails> {
    return found(await this.queries.row(INVITATION_BY_ID, [id]), 'Invitation');
  }

  async isAvailable(id: number): Promise<boolean> {
    return (await this.read(id)).state === 'open';
  }

  async create(
    caller: Caller,
    organisationId: number,
    { proof, ...input }: InvitationInput & Proven,
  ): Promise<InvitationDetails> {
    const token = newSecret();
    await this.confirmRoles(caller, organisationId, proof, () => input.autoRoles);
    return this.transactions.run(caller, async (manager) => {
      const inviter = await inviterOf(manager, caller, organisationId);
      const organisationName = await organisationOrNotFound(manager, organisationId);
      const checked = await checkedInput(manager, caller, organisationId, input);
      await closeExpired(manager, organisationId, input.email);
      const created = await insertReturningId(manager, Invitation, {
        organisationId,
        ...inviter,
        ...plainColumnsOf(input),
        ...checked,
        tokenDigest: digestOf(token),
        expiresAt: () => this.expiry,
      });
      const invitation = await storedInvitation(manager, created);
      await this.mail.queue(manager, caller, { ...invitation, organisationName }, token);
      await this.notifications.record(manager, INVITATION_NOTIFICATIONS.new, {
        ...notificationOf(caller, invitation),
        extraRecipients: [{ kind: 'invited', ...recipientOf(invitation) }],
      });
      return readIn(manager, created);
    });
  }

  /** A new address, or an expired invitation, gets a new token with the full lifetime; the old token ends. */
  async update(
    caller: Caller,
    organisationId: number,
    id: number,
    { proof, ...input }: InvitationInput & Proven,
  ): Promise<void> {
    const token = newSecret();
    await this.confirmRoles(
      caller,
      organisationId,
      proof,
      async () => input.autoRoles ?? (await this.storedRoles(id)),
    );
    await this.transactions.run(caller, async (manager) => {
      const inviter = await inviterOf(manager, caller, organisationId);
      const organisationName = await organisationOrNotFound(manager, organisationId);
      const before = await lockUnused(manager, organisationId, id);
      const hasNewEmail = input.email.toLowerCase() !== before.email.toLowerCase();
      const isRenewed = hasNewEmail || (await isExpired(manager, id));
      const checked = await checkedInput(manager, caller, organisationId, input, { before, isRenewed });
      if (hasNewEmail) await closeExpired(manager, organisationId, input.email);
      await manager.update(
        Invitation,
        { id },
        {
          // From now on the caller's rights must cover all roles of the invitation, also unchanged ones.
          ...inviter,
          ...plainColumnsOf(input),
          ...checked,
          ...(isRenewed && { tokenDigest: digestOf(token), expiresAt: () => this.expiry }),
        },
      );
      if (isRenewed) await this.mailAgain(manager, caller, { id, organisationName }, token);
      if (!hasNewEmail) return;
      const invitation = await storedInvitation(manager, id);
      await this.notifications.record(
        manager,
        INVITATION_NOTIFICATIONS.changed,
        notificationOf(caller, invitation),
      );
    });
  }

  /**
   * Sends a new mail with a new link and the full lifetime. From now on the caller's rights must cover the
   * roles. The old link ends, because the old mail may have reached someone else.
   */
  async resend(
    caller: Caller,
    organisationId: number,
    id: number,
    proof: StepUpProof | undefined,
  ): Promise<InvitationDetails> {
    const token = newSecret();
    await this.confirmRoles(caller, organisationId, proof, () => this.storedRoles(id));
    return this.transactions.run(caller, async (manager) => {
      const inviter = await inviterOf(manager, caller, organisationId);
      const organisationName = await organisationOrNotFound(manager, organisationId);
      const before = await lockUnused(manager, organisationId, id);
      const { email, firstName, lastName } = before;
      const same = { email, firstName, lastName };
      await checkedInput(manager, caller, organisationId, same, { before, isRenewed: true });
      await manager.update(
        Invitation,
        { id },
        {
          ...inviter,
          tokenDigest: digestOf(token),
          expiresAt: () => this.expiry,
        },
      );
      await this.mailAgain(manager, caller, { id, organisationName }, token);
      return readIn(manager, id);
    });
  }

  /** Ends the token and cancels a waiting mail. */
  async delete(ctx: RequestContext, id: number): Promise<void> {
    await this.transactions.run(ctx, async (manager) => {
      await assertFound(
        manager.update(Invitation, { id, deletedAt: IsNull() }, { deletedAt: () => 'now()' }),
        'Invitation',
      );
      await this.recipients.skipInvited(manager, [id]);
      await this.mail.withdraw(manager, [id]);
    });
  }

  /**
   * The caller becomes the inviter. The roles of the invitation are from then on those that the caller gives,
   * so roles that manage others need the proof of `STEP_UP`, old ones too.
   */
  private confirmRoles(
    caller: Caller,
    organisationId: number,
    proof: StepUpProof | undefined,
    given: () => readonly string[] | undefined | Promise<readonly string[]>,
  ): Promise<void> {
    return this.stepUp.confirmIf(caller, proof, async () => {
      const roles = (await given()) ?? [];
      return givesManagingRole([], roles) && validateRoles(caller, organisationId, roles) === undefined;
    });
  }

  private async storedRoles(id: number): Promise<readonly string[]> {
    return (await this.queries.row(STORED_ROLES, [id]))?.autoRoles ?? [];
  }

  /** Replaces a waiting mail and the recipient in the notification. */
  private async mailAgain(
    manager: EntityManager,
    caller: Caller,
    { id, organisationName }: Pick<InvitationToSend, 'id' | 'organisationName'>,
    token: string,
  ): Promise<void> {
    const invitation = await storedInvitation(manager, id);
    await this.recipients.replaceInvited(manager, id, invitation.organisationId, recipientOf(invitation));
    await this.mail.queue(manager, caller, { ...invitation, organisationName }, token);
  }

  /** SQL for the end of a new invitation, by the database's clock. */
  private get expiry(): string {
    return `now() + make_interval(secs => ${this.settings.invitationTtl})`;
  }
}

/**
 * The inviter, whose rights limit the roles: a user, or the organisation of a service key; and the
 * organisation above without whose reach the invitation ends.
 */
const inviterOf = async (
  manager: EntityManager,
  caller: Caller,
  organisationId: number,
): Promise<Pick<Invitation, 'inviterId' | 'inviterOrganisationId' | 'madeByOrganisation' | 'madeByKey'>> => ({
  inviterId: caller.userId,
  inviterOrganisationId: caller.userId === null ? caller.organisationId : null,
  madeByOrganisation: await makerAbove(manager, caller, organisationId),
  madeByKey: caller.credential.kind !== 'login',
});

async function organisationOrNotFound(manager: EntityManager, id: number): Promise<string> {
  return found(await lockLiveOrganisation(manager, id), 'Organisation');
}

/** An invitation that is there already. */
interface InvitationBefore {
  readonly before: Invitation;
  /** Whether its address gets a new token, and is judged as that of a new invitation. */
  readonly isRenewed: boolean;
}

/**
 * Checks an input against the database and reports all errors at once. An update also checks unchanged roles:
 * otherwise a manager could redirect an admin's invitation to another address.
 */
async function checkedInput(
  manager: EntityManager,
  caller: Caller,
  organisationId: number,
  input: InvitationInput,
  { before, isRenewed }: Partial<InvitationBefore> = {},
): Promise<CheckedInput> {
  const errors: Record<string, readonly FieldError[]> = {};
  const roles = input.autoRoles ?? before?.autoRoles ?? [];
  if ([...roles, ...(before?.autoRoles ?? [])].length > 0) assertActsItself(caller);
  assertRolesGivenByLogin(caller, roles);
  const faultyRoles = validateRoles(caller, organisationId, roles);
  if (faultyRoles !== undefined) errors['autoRoles'] = errorsIn(faultyRoles);
  const teams = input.autoTeams && (await teamsNamed(manager, organisationId, input.autoTeams));
  await assertMayAddMembers(manager, caller, [...(teams?.ids ?? []), ...(before?.autoTeams ?? [])]);
  if (teams && teams.unknown.length > 0) {
    errors['autoTeams'] = teams.unknown.map((team) =>
      fieldError('DOES_NOT_EXIST', `Not a team of this organisation: ${team}.`),
    );
  }
  const getsMail = before === undefined || isRenewed === true;
  if (getsMail && (await belongsToUser(manager, input.email))) errors['email'] = [EMAIL_OF_USER];
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  return { autoRoles: rolesOf(roles), ...(teams && { autoTeams: teams.ids }) };
}

/** The columns of fields that need no check. Undefined leaves a column unchanged. */
const plainColumnsOf = ({ email, firstName, lastName, language }: InvitationInput) => ({
  email,
  firstName,
  lastName,
  ...(language !== undefined && { language }),
});

/** The invitation as stored in this transaction. */
const storedInvitation = (manager: EntityManager, id: number): Promise<StoredInvitation> =>
  manager.findOneByOrFail(Invitation, { id });

const readIn = async (manager: EntityManager, id: number): Promise<InvitationDetails> =>
  found(await rowIn<InvitationDetails>(manager, INVITATION_BY_ID, [id]), 'Invitation');
