import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import { OPERATOR_ORGANISATION } from '@app/security/context/operator';
import { type CustomerLimit, CustomerLimits } from '@app/security/customers/customer-limits';
import { type CountOfAct, type ThrottleLimit, Throttler } from '@app/security/throttling/throttler';
import type { MailVerdict, UnreleasedMail } from './mail-source';

/** In seconds. It begins with the first mail that counts. */
const HOUR = 3600;

/**
 * Mails of notifications of one kind to an address in an hour: about one organisation, or to a user about its
 * account (rule notifications 35).
 */
const MOST_OF_KIND = 5;

/** Mails that one customer causes to one address in an hour (rule notifications 36). */
const NOTIFICATIONS: CustomerLimit = {
  name: 'notifications to an address',
  counts: 'mails of notifications to one address that is no user name of the customer',
  most: 60,
  per: 'hour',
};
const POSTS: CustomerLimit = {
  name: 'posts to an address',
  counts: 'notifications and invitations mailed to one address',
  most: 60,
  per: 'hour',
};

/** How many times as many invitations and notifications a customer mails as one of its organisations. */
const TIMES_OF_CUSTOMER = 10;

/**
 * No more posts wait than leave in these hours (rule notifications 37). A turn of a line passes over all
 * mails that wait for a later time, each hour decides about each of them again, and each batch of recipients
 * counts them: a million took a third of a second a turn, in 40,000 turns each hour.
 */
const WAITING_HOURS = { ofOrganisation: 72, ofCustomer: 24 };

/** What a reader of the notification sees of a mail that was skipped. */
const OFTEN_MAILED = `Not mailed: this address got ${MOST_OF_KIND} mails of this kind about this organisation within the hour.`;
const OFTEN_CAUSED =
  'Not mailed: this address got the most mails that one customer may cause to it within the hour.';
export const MANY_WAIT = 'Not mailed: more mails waited than may leave in three days.';

/** Mails of posts that wait. */
export interface WaitingPosts {
  readonly ofOrganisation: number;
  readonly ofCustomer: number;
}

interface Bound extends ThrottleLimit {
  /** What becomes of a mail beyond it: it is skipped with this message, or it waits. */
  readonly skips?: string;
  readonly isOfKind?: boolean;
}

/** The bounds on mails in an hour. Nothing else asks them, and nothing else counts for them. */
@Injectable()
export class MailBounds {
  constructor(
    private readonly settings: Settings,
    private readonly throttler: Throttler,
    private readonly limits: CustomerLimits,
  ) {
    limits.open(NOTIFICATIONS);
    limits.open(POSTS);
  }

  /** Counts those that may leave now, of the mails that wait in the line of a customer, in their order. */
  async ask(
    manager: EntityManager,
    customerId: number,
    mails: readonly UnreleasedMail[],
  ): Promise<MailVerdict[]> {
    const open = mails.filter(({ isClosed }) => isClosed !== true);
    const times = open.some(({ counts }) => counts.as !== 'free')
      ? await this.limits.timesOf(manager, customerId)
      : 1;
    const bounds = new Map(open.map((mail) => [mail, this.boundsOf(mail, customerId, times)]));
    const counted = open.filter((mail) => bounds.get(mail)?.length !== 0);
    const isPost = ({ counts }: UnreleasedMail) => counts.as === 'post';
    // Notifications by their addresses, so that two lines wait for each other in one order; posts as they
    // wait.
    const acts = [
      ...counted.filter(isPost),
      ...counted.filter((mail) => !isPost(mail)).sort((one, other) => byText(one.address, other.address)),
    ];
    const counts = await this.throttler.countEach(
      manager,
      acts.map((mail) => bounds.get(mail) as readonly Bound[]),
      HOUR,
    );
    const verdicts = new Map(
      acts.map((mail, act) => [
        mail,
        verdictOf(bounds.get(mail) as readonly Bound[], counts[act] as CountOfAct),
      ]),
    );
    return mails.map((mail) => {
      if (mail.isClosed === true) return { outcome: 'waits', seconds: HOUR };
      return verdicts.get(mail) ?? { outcome: 'leaves', isLast: false };
    });
  }

  /** How many mails of posts that a customer causes may wait. Undefined: any number. */
  async mostWaiting(manager: EntityManager, customerId: number): Promise<WaitingPosts | undefined> {
    const { mailHourlyLimit: most } = this.settings;
    if (most === 'off' || customerId === OPERATOR_ORGANISATION) return undefined;
    const inAnHour = most * (await this.limits.timesOf(manager, customerId));
    return {
      ofOrganisation: inAnHour * WAITING_HOURS.ofOrganisation,
      ofCustomer: inAnHour * TIMES_OF_CUSTOMER * WAITING_HOURS.ofCustomer,
    };
  }

  private boundsOf(
    { address: written, organisationId, counts }: UnreleasedMail,
    customerId: number,
    times: number,
  ): Bound[] {
    const address = written.toLowerCase();
    // What the operator causes counts for nobody.
    const isOfCustomer = customerId !== OPERATOR_ORGANISATION;
    const ofCustomer = ({ name, most }: CustomerLimit): Bound => ({
      bucket: [name, address, 'customer', customerId],
      most: most * times,
    });
    switch (counts.as) {
      case 'free':
        return [];
      case 'notification': {
        const { kind, userId, isForeign } = counts;
        const about = userId === undefined ? ['organisation', organisationId] : ['user', userId];
        return [
          ...(kind === undefined
            ? []
            : [
                {
                  bucket: ['notifications of a kind', address, ...about, kind] as const,
                  most: MOST_OF_KIND,
                  skips: OFTEN_MAILED,
                  isOfKind: true,
                },
              ]),
          ...(isForeign && isOfCustomer ? [{ ...ofCustomer(NOTIFICATIONS), skips: OFTEN_CAUSED }] : []),
        ];
      }
      case 'post': {
        if (!isOfCustomer) return [];
        const { mailHourlyLimit: most } = this.settings;
        return [
          { ...ofCustomer(POSTS), ...(counts.isRedacted && { skips: OFTEN_CAUSED }) },
          ...(most === 'off'
            ? []
            : [
                { bucket: ['mails of an organisation', organisationId] as const, most: most * times },
                {
                  bucket: ['mails', 'customer', customerId] as const,
                  most: most * times * TIMES_OF_CUSTOMER,
                },
              ]),
        ];
      }
    }
  }
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function verdictOf(bounds: readonly Bound[], count: CountOfAct): MailVerdict {
  if ('used' in count) {
    const isLast = bounds.some(
      ({ isOfKind, most }, place) => isOfKind === true && count.used[place] === most,
    );
    return { outcome: 'leaves', isLast };
  }
  const message = bounds[count.full]?.skips;
  return message === undefined ? { outcome: 'waits', seconds: count.wait } : { outcome: 'skipped', message };
}
