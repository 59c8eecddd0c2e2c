import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TableHandler } from '@app/lifecycle/table-rules';
import { NotificationRecipients } from '@app/people/notifications/notification-recipients';
import { InvitationMail } from './invitation-mail';

const END_OF_ORGANISATION = `
  UPDATE invitations SET deleted_at = now()
  WHERE organisation_id = $1 AND accepted_at IS NULL AND deleted_at IS NULL
  RETURNING id`;

/** Withdraws the open invitations of a deleted organisation, with their mails. */
@Injectable()
export class InvitationDeletions implements TableHandler {
  constructor(
    private readonly recipients: NotificationRecipients,
    private readonly mail: InvitationMail,
  ) {}

  async withOrganisation(manager: EntityManager, organisationId: number): Promise<void> {
    const [ended] = await manager.query<[{ id: number }[], number]>(END_OF_ORGANISATION, [organisationId]);
    const ids = ended.map(({ id }) => id);
    await this.recipients.skipInvited(manager, ids);
    await this.mail.withdraw(manager, ids);
  }
}
