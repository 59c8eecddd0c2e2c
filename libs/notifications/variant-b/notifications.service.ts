import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/core/access/caller';
import { PreparedQueries } from '@app/core/database/prepared-queries';
import { Transactions } from '@app/core/database/transactions';
import { NotFound } from '@app/core/errors/api-error';
import { listOf } from '@app/core/lists/long-list';
import { Paginator } from '@app/core/paging/paginator';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Organisation } from '@app/organisations/organisation.entity';
import { NotificationRecorder } from '../notification-recorder';
import type { NotificationGroup } from '../notification.types';
import { MAX_RECIPIENTS_AT_ONCE, RECIPIENTS_AFTER, RECIPIENTS_COUNT } from './notification.columns';
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
    return this.paginator.page(request, notificationPage(organisationId, request, group), (notification) =>
      this.completed(notification),
    );
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
    const notification = await this.queries.row(NOTIFICATION_BY_ID, [id]);
    if (notification === undefined) throw new NotFound('Notification');
    return this.completed(notification);
  }

  /** The notification that was read with its first recipients: the others are read as they are written. */
  private completed(notification: NotificationDetails): NotificationDetails {
    const { id, recipients } = notification;
    return {
      ...notification,
      recipients: listOf(recipients, {
        held: MAX_RECIPIENTS_AT_ONCE,
        after: async (last) =>
          (await this.queries.rows(RECIPIENTS_AFTER, [id, last.id])).map(({ item }) => item),
        count: async () => (await this.queries.row(RECIPIENTS_COUNT, [id]))?.count ?? 0,
      }),
    };
  }
}
