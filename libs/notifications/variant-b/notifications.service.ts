import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/core/access/caller';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Organisation } from '@app/organisations/organisation.entity';
import { NotificationRecorder } from '../notification-recorder';
import type { NotificationGroup } from '../notification.types';
import { NOTIFICATION_BY_ID, notificationPage } from './notification.queries';
import type {
  NewNotification,
  NotificationDetails,
  NotificationOrder,
  NotificationSearch,
} from './notification-details.types';

/** Reading the notifications of an organisation, and writing one about the organisation itself. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly queries: PreparedQueries,
    private readonly paginator: Paginator,
    private readonly transactions: Transactions,
    private readonly recorder: NotificationRecorder,
  ) {}

  list(
    organisationId: number,
    request: ListRequest<NotificationOrder, NotificationSearch>,
    group?: NotificationGroup,
  ): Promise<Page<NotificationDetails>> {
    return this.paginator.page(request, notificationPage(organisationId, request, group));
  }

  async create(
    caller: Caller,
    organisationId: number,
    { type, group, params }: NewNotification,
  ): Promise<NotificationDetails> {
    const id = await this.transactions.run(async (manager) => {
      const { name } = await manager.findOneByOrFail(Organisation, { id: organisationId });
      return this.recorder.record(manager, {
        organisationId,
        group,
        type,
        entityClass: 'Organisation',
        entityId: organisationId,
        entityName: name,
        userId: caller.userId,
        params,
        everyContact: true,
      });
    });
    const notification = await this.queries.row<NotificationDetails>(NOTIFICATION_BY_ID, [id]);
    if (notification === undefined) throw new NotFound('Notification');
    return notification;
  }
}
