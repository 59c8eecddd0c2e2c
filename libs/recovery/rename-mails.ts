import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { resetLink } from '@app/core/mail/links';
import type { OutgoingMail } from '@app/core/mail/mail.types';
import { Outbox } from '@app/core/mail/outbox';
import { Settings } from '@app/core/settings/settings';
import { isPlainEmailAddress } from '@app/core/text/email-address';
import type { Language } from '@app/users/languages';
import { UserEventHandler, type UserEvent, type UserRenamed } from '@app/users/user-events';
import { NameRestorations } from './name-restorations';
import { recoveryAddressOf } from './recovery-address';
import { RESTORATION_TTL } from './recovery.types';

interface Addressee {
  readonly firstName: string;
  readonly language: Language;
}

/** Tells the address that a user had as its name, with the way back to it where the user changed the name itself. */
@Injectable()
export class RenameMails extends UserEventHandler {
  readonly position = 35;

  constructor(
    private readonly restorations: NameRestorations,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {
    super();
  }

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind === 'disabled') await this.restorations.end(manager, event.userId);
    if (event.kind !== 'renamed' && event.kind !== 'nameRestored') return;
    const mail =
      event.kind === 'renamed' && event.actorId === event.userId
        ? await this.restorableMail(manager, event)
        : await plainMail(manager, event.userId, event.formerName);
    if (mail !== undefined) await this.outbox.queue(manager, mail);
  }

  /** Goes where recovery mail of the old name went; without such an address there is no way back, and none is kept. */
  private async restorableMail(
    manager: EntityManager,
    { userId, organisationId, formerName }: UserRenamed,
  ): Promise<OutgoingMail | undefined> {
    const to = await recoveryAddressOf(manager, userId, formerName);
    if (to === undefined) return undefined;
    const { firstName, language } = await addressee(manager, userId);
    const { token, expiresAt } = await this.restorations.open(manager, userId, formerName);
    return {
      template: 'ownNameChanged',
      to,
      language,
      values: { firstName, username: formerName, linkHours: String(RESTORATION_TTL / 3600) },
      secrets: { link: resetLink(this.settings.resetUrlTemplate, token) },
      expiresAt,
      opens: organisationId,
    };
  }
}

async function plainMail(
  manager: EntityManager,
  userId: number,
  formerName: string,
): Promise<OutgoingMail | undefined> {
  if (!isPlainEmailAddress(formerName)) return undefined;
  const { firstName, language } = await addressee(manager, userId);
  return {
    template: 'usernameChanged',
    to: formerName,
    language,
    values: { firstName, username: formerName },
  };
}

async function addressee(manager: EntityManager, userId: number): Promise<Addressee> {
  const [user] = await manager.query<Addressee[]>(
    'SELECT first_name AS "firstName", language FROM users WHERE id = $1',
    [userId],
  );
  return user as Addressee;
}
