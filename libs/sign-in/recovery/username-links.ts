import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Settings } from '@app/config/settings';
import type { OfUser } from '@app/lifecycle/user-events';
import { linkFrom } from '@app/mail/mail-values';
import { Outbox } from '@app/mail/outbox';
import type { Language } from '@app/people/users/user.types';
import { IS_NOT_RESERVED } from '@app/people/users/user-names';
import { customerOf } from '@app/security/access/customers';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { Throttler } from '@app/security/throttling/throttler';
import { endRequests, requestMailKey } from './recovery-requests';

/** Seconds in which a link verifies a name (rule recovery 29): 72 hours. */
const LINK_TTL = 259_200;

/** Most links to verify a name in a day (UTC): of a customer to one address, and of one user. */
const MOST_TO_ADDRESS = 1;
const MOST_OF_USER = 5;

const OPEN = `
  WITH opened AS (
    INSERT INTO recovery_requests (user_id, kind, username, token_digest, expires_at)
    VALUES ($1, 'name', $2, $3, now() + make_interval(secs => $4)) RETURNING user_id, expires_at
  ) SELECT opened.expires_at AS "expiresAt", u.language FROM opened JOIN users u ON u.id = opened.user_id`;

const CUSTOMER = `SELECT ${customerOf('$1')} AS "customerId"`;

/** Mails the links that verify user names. */
@Injectable()
export class UsernameLinks {
  constructor(
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly throttler: Throttler,
  ) {}

  /** A newer link ends the older one. Beyond the bounds the user has the name, and no mail leaves. */
  async mailAgain(manager: EntityManager, user: OfUser): Promise<void> {
    if (await this.mayMail(manager, user)) {
      await endRequests(manager, [user.userId], 'name');
      await this.open(manager, user);
    }
  }

  /** To a new name, after the link of the former one has ended. */
  async mail(manager: EntityManager, user: OfUser): Promise<void> {
    if (await this.mayMail(manager, user)) await this.open(manager, user);
  }

  private async mayMail(
    manager: EntityManager,
    { userId, organisationId, username }: OfUser,
  ): Promise<boolean> {
    if (!username.includes('@') || !IS_NOT_RESERVED.holds(username)) return false;
    const [{ customerId }] = await manager.query<[{ customerId: number }]>(CUSTOMER, [organisationId]);
    const wait = await this.throttler.reserveToday(manager, [
      { bucket: ['username link to', customerId, username.toLowerCase()], most: MOST_TO_ADDRESS },
      { bucket: ['username link of', userId], most: MOST_OF_USER },
    ]);
    return wait === 0;
  }

  private async open(manager: EntityManager, { userId, organisationId, username }: OfUser): Promise<void> {
    const token = newSecret();
    const [{ expiresAt, language }] = await manager.query<[{ expiresAt: Date; language: Language }]>(OPEN, [
      userId,
      username,
      digestOf(token),
      LINK_TTL,
    ]);
    await this.outbox.queue(
      manager,
      {
        template: 'usernameLink',
        to: username,
        language,
        values: { linkHours: String(LINK_TTL / 3600) },
        secrets: { link: linkFrom(this.settings.usernameUrlTemplate, { token }) },
        expiresAt,
        opens: organisationId,
        organisationId,
      },
      requestMailKey('name', userId),
    );
  }
}
