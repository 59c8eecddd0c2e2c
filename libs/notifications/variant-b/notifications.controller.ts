import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/core/access/caller';
import { Access, PathId, CurrentCaller } from '@app/core/access/access.decorators';
import type { ListRequest, Page } from '@app/core/paging/page';
import { RespondsWith, RequestBody, ListQuery } from '@app/core/wire/wire.decorators';
import type {
  NewNotification,
  NotificationDetails,
  NotificationOrder,
  NotificationSearch,
} from './notification-details.types';
import { NotificationsService } from './notifications.service';
import { NotificationsShapes } from './notifications.shapes';

@ApiTags('notifications')
@Controller('organisations/:organisationId/notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @Access('notifications.list')
  @RespondsWith(200, NotificationsShapes, 'list')
  list(
    @PathId('organisationId') organisationId: number,
    @ListQuery(NotificationsShapes, 'list') request: ListRequest<NotificationOrder, NotificationSearch>,
  ): Promise<Page<NotificationDetails>> {
    return this.notifications.list(organisationId, request);
  }

  @Get('crm')
  @Access('notifications.list')
  @RespondsWith(200, NotificationsShapes, 'list')
  listCrm(
    @PathId('organisationId') organisationId: number,
    @ListQuery(NotificationsShapes, 'list') request: ListRequest<NotificationOrder, NotificationSearch>,
  ): Promise<Page<NotificationDetails>> {
    return this.notifications.list(organisationId, request, 'Crm');
  }

  @Post()
  @Access('notifications.create')
  @RespondsWith(201, NotificationsShapes, 'created')
  create(
    @CurrentCaller() caller: Caller,
    @PathId('organisationId') organisationId: number,
    @RequestBody(NotificationsShapes, 'create') input: NewNotification,
  ): Promise<NotificationDetails> {
    return this.notifications.create(caller, organisationId, input);
  }
}
