import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { invitationLink } from '@app/core/mail/links';
import { dateIn } from '@app/core/mail/mail-dates';
import type { OutgoingMail } from '@app/core/mail/mail.types';
import { Outbox } from '@app/core/mail/outbox';
import { Settings } from '@app/core/settings/settings';
import { InvitedRecipients } from '@app/notifications/invited-recipients';
import type { Language } from '@app/users/languages';

/** What the mail of an invitation says. */
export interface InvitationToSend {
  readonly id: number;
  readonly organisationId: number;
  readonly organisationName: string;
  /** Full name of who invites, or invites again. */
  readonly inviterName: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly expiresAt: Date;
}

/** One mail of an invitation waits at a time: a changed address takes the place of the one before. */
const keyOf = (invitationId: number): string => `invitation:${invitationId}`;

/** Mails the link to register with. */
@Injectable()
export class InvitationMail {
  constructor(
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly invited: InvitedRecipients,
  ) {}

  /** Sent once the transaction is committed, and never after the invitation has expired. */
  queue(manager: EntityManager, invitation: InvitationToSend, token: string): Promise<void> {
    const { id, organisationId } = invitation;
    const mail: OutgoingMail = {
      template: 'invitation',
      to: invitation.email,
      language: invitation.language,
      values: {
        firstName: invitation.firstName,
        organisation: invitation.organisationName,
        inviter: invitation.inviterName,
        endDate: dateIn(invitation.language, invitation.expiresAt),
      },
      secrets: { link: invitationLink(this.settings, { organisationId, invitationId: id, token }) },
      expiresAt: invitation.expiresAt,
      chargedTo: organisationId,
      opens: organisationId,
      reference: this.invited.referenceOf(id),
    };
    return this.outbox.queue(manager, mail, keyOf(id));
  }

  /** Takes back the mail of an invitation that is withdrawn before it was sent. */
  withdraw(manager: EntityManager, invitationId: number): Promise<void> {
    return this.outbox.withdraw(manager, keyOf(invitationId));
  }
}
