import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Organisation } from '@app/people/organisations/organisation.entity';
import { rowIn } from '@app/platform/database/pg-reads/database-reads';
import { Transactions } from '@app/platform/database/transactions';
import { found } from '@app/platform/errors/api-error';
import { type ListRequest, type Page, Paginator } from '@app/platform/lists/paginator';
import { actsForOperator } from '@app/security/access/acts-for-operator';
import type { Caller } from '@app/security/access/caller';
import { type CustomerLimit, CustomerLimits } from '@app/security/customers/customer-limits';
import {
  NOTIFICATION_BY_ID,
  type NotificationDetails,
  type NotificationOrder,
  notificationPage,
  notificationReaderValues,
} from './notification.columns';
import type { NotificationGroup } from './notification.types';
import type { NewNotification, NotificationSearch } from './notification-details.types';
import { NotificationRecorder } from './notification-recorder';

/** Notifications that a customer posts (rule notifications 24). */
const TO_ORGANISATION: CustomerLimit = {
  name: 'posts to an organisation',
  counts: 'notifications to one organisation',
  most: 1000,
  per: 'hour',
};
const TO_ALL: CustomerLimit = { name: 'posts', counts: 'notifications', most: 10_000, per: 'hour' };

/** Admins alone give an organisation a brand of its own. */
const HAS_BRAND = 'SELECT EXISTS (SELECT FROM brands WHERE organisation_id = $1) AS "hasBrand"';

/** Reads the notifications of an organisation, and writes notifications about the organisation itself. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly recorder: NotificationRecorder,
    private readonly limits: CustomerLimits,
  ) {
    limits.open(TO_ORGANISATION);
    limits.open(TO_ALL);
  }

  list(
    caller: Caller,
    organisationId: number,
    request: ListRequest<NotificationOrder, NotificationSearch>,
    group?: NotificationGroup,
  ): Promise<Page<NotificationDetails>> {
    return this.paginator.page(request, notificationPage(caller, organisationId, request, group));
  }

  async create(
    caller: Caller,
    organisationId: number,
    notification: NewNotification,
  ): Promise<NotificationDetails> {
    return this.limits.counted(caller, [[TO_ORGANISATION, organisationId], [TO_ALL]], () =>
      this.post(caller, organisationId, notification),
    );
  }

  private post(
    caller: Caller,
    organisationId: number,
    { type, group, params }: NewNotification,
  ): Promise<NotificationDetails> {
    return this.transactions.run(caller, async (manager) => {
      const organisation = await manager.findOneByOrFail(Organisation, { id: organisationId });
      const keepsWords = actsForOperator(caller) || (await hasBrand(manager, caller.organisationId));
      const written = { organisation, userId: caller.actorId, group, type, params, keepsWords };
      const id = await this.recorder.post(manager, written);
      const values = [...notificationReaderValues(caller), id];
      return found(await rowIn(manager, NOTIFICATION_BY_ID, values), 'Notification');
    });
  }
}

/** Who has a brand writes to its own customers in its own name. */
async function hasBrand(manager: EntityManager, organisationId: number): Promise<boolean> {
  const [row] = await manager.query<{ hasBrand: boolean }[]>(HAS_BRAND, [organisationId]);
  return row?.hasBrand === true;
}
