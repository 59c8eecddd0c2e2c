import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { OutgoingMail } from '@app/mail/mail.types';
import { dateIn, linkFrom, quotedInShort } from '@app/mail/mail-values';
import { Outbox, withdrawMails } from '@app/mail/outbox';
import type { Language } from '@app/people/users/user.types';
import type { Caller } from '@app/security/access/caller';
import { CustomerLimits } from '@app/security/customers/customer-limits';
import { Throttler } from '@app/security/throttling/throttler';
import {
  MAILS_TO_ADDRESS_OF_CUSTOMER,
  MOST_MAILS_TO_ADDRESS,
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

/** Mails the link of the registration. */
@Injectable()
export class InvitationMail {
  constructor(
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly throttler: Throttler,
    private readonly customerLimits: CustomerLimits,
  ) {
    customerLimits.open(MAILS_TO_ADDRESS_OF_CUSTOMER);
  }

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
    const address = invitation.email.toLowerCase();
    const wait = await this.throttler.reserveToday(manager, [
      { bucket: ['invitation mails', organisationId, address], most: MOST_MAILS_TO_ADDRESS },
      ...(await this.customerLimits.within(manager, sender, [MAILS_TO_ADDRESS_OF_CUSTOMER, address])),
    ]);
    if (wait > 0) throw tooManyInvitationMails(wait);
    const mail: OutgoingMail = {
      template: 'invitation',
      to: invitation.email,
      language: invitation.language,
      values: {
        organisation: quotedInShort(invitation.language, invitation.organisationName),
        inviter: quotedInShort(invitation.language, sender.fullName),
        endDate: dateIn(invitation.language, invitation.expiresAt, this.settings.timeZone),
      },
      secrets: {
        link: linkFrom(this.settings.invitationUrlTemplate, { organisationId, invitationId: id, token }),
      },
      expiresAt: invitation.expiresAt,
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
