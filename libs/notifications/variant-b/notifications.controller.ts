import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, TheCaller } from '@app/core/access/declarations';
import type { ListRequest, Page } from '@app/core/paging/page';
import { Answers, Input, ListQuery } from '@app/core/wire/declarations';
import type {
  NewNotification,
  NotificationDetails,
  NotificationOrder,
  NotificationSearch,
} from '../notification.values';
import { NotificationsService } from './notifications.service';
import { NotificationsShapes } from './notifications.shapes';

@ApiTags('notifications')
@Controller('organisations/:organisationId/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @Access('notifications.list')
  @Answers(200, NotificationsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(NotificationsShapes, 'list') request: ListRequest<NotificationOrder, NotificationSearch>,
  ): Promise<Page<NotificationDetails>> {
    return this.notifications.list(organisationId, request);
  }

  @Get('crm')
  @Access('notifications.list')
  @Answers(200, NotificationsShapes, 'list')
  listCrm(
    @PathId('organisationId') organisationId: number,
    @ListQuery(NotificationsShapes, 'list') request: ListRequest<NotificationOrder, NotificationSearch>,
  ): Promise<Page<NotificationDetails>> {
    return this.notifications.list(organisationId, request, 'Crm');
  }

  @Post()
  @Access('notifications.create')
  @Answers(201, NotificationsShapes, 'created')
  create(
    @TheCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @Input(NotificationsShapes, 'creation') input: NewNotification,
  ): Promise<NotificationDetails> {
    return this.notifications.create(caller, organisationId, input);
  }
}
