import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { isPlainEmailAddress } from '@app/formats/email-address';
import type { RolesChanged, UserDeleted, UserEnabled, UserEvent } from '@app/lifecycle/user-events';
import { countNews, endOf } from '@app/mail/address-news';
import { quoted } from '@app/mail/mail-values';
import { DELETED, deletedOwn } from '@app/mail/news-pots';
import { Outbox } from '@app/mail/outbox';
import type { ExtraRecipient } from '@app/people/notifications/notification.types';
import { NotificationRecipients } from '@app/people/notifications/notification-recipients';
import { NotificationRecorder } from '@app/people/notifications/notification-recorder';
import { bareNewsText, notificationText } from '@app/people/notifications/notification-text';
import { type OwnAddress, ownAddressesOf } from '@app/people/users/own-addresses';
import type { NameState } from '@app/people/users/proved-names';
import { LOST_NEWS_NOTICES } from './contacts.notices';

/** Changes after which the contacts of a user may get no more security news of the organisation. */
type Loss = RolesChanged | UserEnabled | UserDeleted;

interface Loser extends NameState {
  readonly roles: readonly string[];
  readonly enabled: boolean;
  readonly fullName: string;
  readonly language: ExtraRecipient['language'];
  readonly organisation: string;
  /** Full name of the user who caused it. */
  readonly actor: string | null;
  /** Its addresses with the group System. */
  readonly addresses: readonly string[];
}

const LOSER = `
  SELECT u.username, u.told_name AS "toldName", u.name_given_by AS "nameGivenBy", u.roles, u.enabled,
    u.first_name || ' ' || u.last_name AS "fullName", u.language, o.name AS organisation,
    actor.first_name || ' ' || actor.last_name AS actor,
    ARRAY(SELECT c.name FROM contacts c
      WHERE c.user_id = u.id AND c.type = 'email' AND 'System' = ANY (c.groups) ORDER BY c.id) AS addresses
  FROM users u JOIN organisations o ON o.id = u.organisation_id LEFT JOIN users actor ON actor.id = $2
  WHERE u.id = $1`;

/**
 * Tells of an alarm that is switched off by taking its user away: a CUSTADMIN whose contacts get the security
 * news of the organisation is demoted, disabled or deleted (rule notifications 9).
 */
@Injectable()
export class LostNews {
  constructor(
    private readonly notifications: NotificationRecorder,
    private readonly recipients: NotificationRecipients,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
  ) {}

  async handle(manager: EntityManager, event: UserEvent): Promise<void> {
    if (event.kind !== 'rolesChanged' && event.kind !== 'disabled' && event.kind !== 'deleted') return;
    const [loser] = await manager.query<Loser[]>(LOSER, [event.userId, event.actorId]);
    if (loser === undefined) return;
    const isLoss = loser.addresses.length > 0 && wasTold(event, loser);
    if (event.kind === 'deleted') await this.tellOfDeletion(manager, event, loser, isLoss);
    else if (isLoss)
      await this.tell(manager, event, loser, event.kind === 'disabled' ? 'disabled' : 'demoted');
  }

  /** The other contacts of the organisation are told as of every security event of the user. */
  private async tell(
    manager: EntityManager,
    event: Loss,
    loser: Loser,
    type: 'demoted' | 'disabled',
  ): Promise<void> {
    const { fullName, language, username, addresses } = loser;
    await this.notifications.record(manager, LOST_NEWS_NOTICES[type], {
      organisationId: event.organisationId,
      entity: { id: event.userId, name: username },
      userId: event.actorId,
      aboutUserId: event.userId,
      extraRecipients: addresses.map((value) => ({ kind: 'gone', fullName, language, value })),
    });
  }

  /**
   * Recipients with the addresses of the user go with it. So the mails are queued by themselves, with
   * the address sealed, also those that still waited to tell of an earlier loss: who demotes and
   * deletes at once is not silent.
   */
  private async tellOfDeletion(
    manager: EntityManager,
    { userId, organisationId, actorId }: UserDeleted,
    loser: Loser,
    isLoss: boolean,
  ): Promise<void> {
    const own = new Map(ownAddressesOf(loser).map((address) => [address.value.toLowerCase(), address]));
    const lost = isLoss ? [...own.values()].map(({ value }) => value).concat(loser.addresses) : [];
    const waiting = await this.recipients.waitingLosses(manager, userId);
    const told = new Map(
      [...lost, ...waiting].filter(isPlainEmailAddress).map((address) => [address.toLowerCase(), address]),
    );
    if (told.size === 0) return;
    await this.notifications.record(manager, LOST_NEWS_NOTICES.deleted, {
      organisationId,
      // The name goes with the user, before anybody reads it.
      entity: { id: userId, name: '' },
      userId: actorId,
      params: { user: userId },
    });
    const contentFor = this.contentsOfDeletion(userId, organisationId, loser);
    for (const [lower, to] of told) {
      const address = own.get(lower);
      const pot = address?.isProved === true ? deletedOwn(userId) : DELETED;
      const verdict = await countNews(manager, organisationId, to, pot);
      if (verdict === 'held') continue;
      const { language } = loser;
      const mail = { to, language, organisationId, deletedUserId: userId, ends: endOf(verdict) };
      await this.outbox.queue(manager, { ...mail, ...contentFor(address) });
    }
  }

  /** What the mails say: to a user name, proved or not, or to a contact if there is no such name. */
  private contentsOfDeletion(
    entityId: number,
    organisationId: number,
    { fullName, language, organisation, actor }: Loser,
  ) {
    const kind = LOST_NEWS_NOTICES.deleted;
    const at = new Date();
    const event = { kind, entityId, entityName: '', isWritten: false, subject: null, params: {}, at };
    // All these addresses were the user's own.
    const text = notificationText(
      { ...event, actor, isOwnAct: false, owner: null },
      { isUser: true, name: fullName },
      language,
      this.settings,
    );
    const values = { organisation: quoted(language, organisation), ...text };
    const bare = bareNewsText(kind, at, language, this.settings);
    return (ownName: OwnAddress | undefined) => {
      if (ownName === undefined)
        return {
          values: { ...values, contact: 'gone' },
          template: 'notification',
          chargedTo: organisationId,
          pot: 'alarms',
        } as const;
      return ownName.isProved
        ? ({ values, template: 'ownNotification' } as const)
        : ({ values: bare, template: 'unprovedNotification' } as const);
    };
  }
}

/** Whether the contacts of the user got the news of the organisation until this event. */
function wasTold(event: Loss, { roles, enabled }: Loser): boolean {
  const manages = roles.includes('ROLE_CUSTADMIN');
  if (event.kind === 'rolesChanged')
    return enabled && !manages && event.formerRoles.includes('ROLE_CUSTADMIN');
  return manages && (event.kind === 'deleted' ? enabled : event.isChange);
}
