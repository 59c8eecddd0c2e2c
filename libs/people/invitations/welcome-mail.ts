import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Outbox } from '@app/mail/outbox';
import type { Language } from '@app/people/users/user.types';
import { fullNameOf } from '@app/people/users/user-names';

/** A user who has registered by the link of an invitation. */
interface NewAccount {
  readonly userId: number;
  readonly organisationId: number;
  /** The user name: the address whose mailbox got the invitation. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly organisationName: string;
}

/** Welcomes who has registered, with the link to log in (rule notifications 45). */
@Injectable()
export class WelcomeMail {
  constructor(private readonly outbox: Outbox) {}

  async queue(
    manager: EntityManager,
    { userId, organisationId, email, firstName, lastName, language, organisationName }: NewAccount,
  ): Promise<void> {
    await this.outbox.queue(manager, {
      template: 'welcome',
      to: email,
      userId,
      organisationId,
      language,
      values: {
        fullName: fullNameOf({ firstName, lastName }),
        organisation: organisationName,
        username: email,
      },
    });
  }
}
