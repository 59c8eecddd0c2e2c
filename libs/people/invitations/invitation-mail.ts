import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { ForPeopleOf, OutgoingMail } from '@app/mail/mail.types';
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
export const keyOfMail = (invitationId: number): string => `invitation:${invitationId}`;

/** The mail with the link of the registration. It is never sent after the invitation has expired. */
export const invitationMail = (
  settings: Pick<Settings, 'timeZone' | 'invitationUrlTemplate'>,
  { id, organisationId, organisationName, email, language, expiresAt }: InvitationToSend,
  { inviterName, token }: { readonly inviterName: string; readonly token: string },
): OutgoingMail & ForPeopleOf => ({
  template: 'invitation',
  to: email,
  language,
  values: {
    organisation: quotedInShort(language, organisationName),
    inviter: quotedInShort(language, inviterName),
    endDate: dateIn(language, expiresAt, settings.timeZone),
  },
  secrets: {
    link: linkFrom(settings.invitationUrlTemplate, { organisationId, invitationId: id, token }),
  },
  expiresAt,
  opens: organisationId,
  outcomeOf: { kind: 'invitation', id },
  organisationId,
});

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
   * The mail is sent after the commit. Throws 429 past the mails of the day.
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
    const mail = invitationMail(this.settings, invitation, { inviterName: sender.fullName, token });
    await this.outbox.queue(manager, mail, keyOfMail(id));
  }

  /** Removes waiting mails of withdrawn invitations. */
  withdraw(manager: EntityManager, invitationIds: readonly number[]): Promise<void> {
    return withdrawMails(manager, invitationIds.map(keyOfMail));
  }
}
