import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/core/access/caller';
import { Sql } from '@app/core/database/sql';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { Lists } from '@app/core/paging/lists';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Organisation } from '@app/organisations/organisation.entity';
import { NotificationRecorder } from '../notification-recorder';
import { NOTIFICATION_BY_ID, notificationPage } from '../notification.queries';
import type {
  NewNotification,
  NotificationDetails,
  NotificationGroup,
  NotificationOrder,
  NotificationSearch,
} from '../notification.values';

/** Reading the notifications of an organisation, and writing one about the organisation itself. */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly sql: Sql,
    private readonly lists: Lists,
    private readonly transactions: Transactions,
    private readonly recorder: NotificationRecorder,
  ) {}

  list(
    organisationId: number,
    request: ListRequest<NotificationOrder, NotificationSearch>,
    group?: NotificationGroup,
  ): Promise<Page<NotificationDetails>> {
    return this.lists.page(request, notificationPage(organisationId, request, group));
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
      });
    });
    const notification = await this.sql.row<NotificationDetails>(NOTIFICATION_BY_ID, [id]);
    if (notification === undefined) throw new NotFound('Notification');
    return notification;
  }
}
