import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { OutgoingMail } from '@app/mail/mail.types';
import { dateIn, linkFrom } from '@app/mail/mail-values';
import { Outbox, withdrawMails } from '@app/mail/outbox';
import type { Language } from '@app/people/users/user.types';
import { actsForOperator } from '@app/security/access/acts-for-operator';
import type { Caller } from '@app/security/access/caller';
import { type ThrottleLimit, Throttler } from '@app/security/throttling/throttler';
import {
  MOST_MAILS_TO_ADDRESS,
  MOST_MAILS_TO_ADDRESS_BY_SENDER,
  tooManyInvitationMails,
} from './invitation.types';

/** The content of an invitation mail. */
export interface InvitationToSend {
  readonly id: number;
  readonly organisationId: number;
  readonly organisationName: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly expiresAt: Date;
}

/** Each invitation has at most one waiting mail: a new mail replaces it. */
const keyOf = (invitationId: number): string => `invitation:${invitationId}`;

function limitsOf(sender: Caller, { organisationId, email }: InvitationToSend): ThrottleLimit[] {
  const address = email.toLowerCase();
  const ofOrganisation = ['invitation mails', organisationId, address] as const;
  const bySender = ['invitation mails by', sender.organisationId, address] as const;
  return [
    { bucket: ofOrganisation, most: MOST_MAILS_TO_ADDRESS },
    ...(actsForOperator(sender) ? [] : [{ bucket: bySender, most: MOST_MAILS_TO_ADDRESS_BY_SENDER }]),
  ];
}

/** Mails the link of the registration. */
@Injectable()
export class InvitationMail {
  constructor(
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly throttler: Throttler,
  ) {}

  /**
   * The mail is sent after the commit, and never after the invitation has expired. Throws 429
   * past the mails of the day.
   */
  async queue(
    manager: EntityManager,
    sender: Caller,
    invitation: InvitationToSend,
    token: string,
  ): Promise<void> {
    const { id, organisationId } = invitation;
    const wait = await this.throttler.reserveToday(manager, limitsOf(sender, invitation));
    if (wait > 0) throw tooManyInvitationMails(wait);
    const mail: OutgoingMail = {
      template: 'invitation',
      to: invitation.email,
      language: invitation.language,
      values: {
        firstName: invitation.firstName,
        organisation: invitation.organisationName,
        inviter: sender.fullName,
        endDate: dateIn(invitation.language, invitation.expiresAt, this.settings.timeZone),
      },
      secrets: {
        link: linkFrom(this.settings.invitationUrlTemplate, { organisationId, invitationId: id, token }),
      },
      expiresAt: invitation.expiresAt,
      chargedTo: organisationId,
      opens: organisationId,
      settles: { kind: 'invitation', id },
    };
    await this.outbox.queue(manager, { ...mail, organisationId }, keyOf(id));
  }

  /** Removes waiting mails of withdrawn invitations. */
  withdraw(manager: EntityManager, invitationIds: readonly number[]): Promise<void> {
    return withdrawMails(manager, invitationIds.map(keyOf));
  }
}
